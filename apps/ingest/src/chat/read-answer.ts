import type { ChatAnswer } from '@turnkeeper/application';
import { parseJson } from '@turnkeeper/domain';
import { createParser } from 'eventsource-parser';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The first choice of a completion, or of a chunk of one. */
const choiceOf = (completion: unknown): Json => {
  const choices = isObject(completion) ? list(completion['choices']) : [];
  const first = choices.find((choice) => isObject(choice) && (choice['index'] ?? 0) === 0);
  return isObject(first) ? first : {};
};

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
};

/** Reads a model's answer as it passes. What it does not understand, it ignores: the client receives it all the same. */
export class AnswerReader {
  private readonly decoder = new TextDecoder();
  private readonly calls = new Map<number, { id: string; name: string; arguments: string }>();
  private content = '';
  private done = false;
  private readonly parser = createParser({ onEvent: ({ data }) => this.readEvent(data) });

  /** Whether the end of the stream was read. */
  get isDone(): boolean {
    return this.done;
  }

  /** A piece of a stream of server-sent events. */
  push(bytes: Uint8Array): void {
    this.parser.feed(this.decoder.decode(bytes, { stream: true }));
  }

  /** A whole answer. */
  readWhole(text: string): void {
    this.add(choiceOf(parsed(text))['message']);
  }

  answer(isCut: boolean): ChatAnswer {
    const toolCalls = [...this.calls]
      .sort(([a], [b]) => a - b)
      .map(([, { id, ...called }]) => ({
        id,
        type: 'function',
        function: called,
      }));
    // Half a call cannot be answered.
    return { content: this.content, toolCalls: isCut ? [] : toolCalls.filter(({ id }) => id !== ''), isCut };
  }

  private readEvent(data: string): void {
    if (data.trim() === '[DONE]') this.done = true;
    else this.add(choiceOf(parsed(data))['delta']);
  }

  private add(part: unknown): void {
    if (!isObject(part)) return;
    this.content += textIn(part['content']);
    list(part['tool_calls']).forEach((call, index) => {
      if (isObject(call)) this.addCall(typeof call['index'] === 'number' ? call['index'] : index, call);
    });
  }

  private addCall(index: number, call: Json): void {
    const known = this.calls.get(index) ?? { id: '', name: '', arguments: '' };
    const { name, arguments: given } = isObject(call['function']) ? call['function'] : ({} as Json);
    known.id ||= textIn(call['id']);
    known.name ||= textIn(name);
    known.arguments += textIn(given);
    this.calls.set(index, known);
  }
}
