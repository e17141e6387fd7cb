import type { ContextMessage, MemoryHandle, Message } from '@turnkeeper/client';
import type { LanguageModelMiddleware } from 'ai';

type Member<K extends keyof LanguageModelMiddleware> = NonNullable<LanguageModelMiddleware[K]>;
type CallParameters = Awaited<ReturnType<Member<'transformParams'>>>;
type Prompt = CallParameters['prompt'];
type PromptMessage = Prompt[number];
type Stream = Awaited<ReturnType<Member<'wrapStream'>>>['stream'];
type StreamPart = Stream extends ReadableStream<infer P> ? P : never;

export interface TurnkeeperMemoryOptions {
  /** `turnkeeper.memory(id)`. */
  readonly memory: MemoryHandle;
  readonly actorId: string;
  readonly sessionId: string;
  /** Earlier messages of the session put before the new ones; 0: none. Default 20. */
  readonly history?: number;
  /** Most tokens of what is known about the user, as a system message; 0: none. Default 800. */
  readonly budget?: number;
  /**
   * Id of the turn: the same id stores it once, whatever is repeated. Default: a new one for each call. Set
   * `providerOptions: { turnkeeper: { operationId } }` to choose it per call.
   */
  readonly operationId?: string;
  /** Told what could not be read or stored; the call then goes on without memory. Default: the call fails. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Middleware for the AI SDK: the session's history and what is known about the user go into each call, and the turn goes
 * into the session. Pass only the new messages to the model.
 *
 * The user's message and the answer are stored together once the answer is complete; steps that only call tools are
 * not stored.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: turnkeeperMemory({ memory, actorId, sessionId }) });
 * await generateText({ model, prompt: 'Where do I live?' });
 */
export const turnkeeperMemory = (options: TurnkeeperMemoryOptions): LanguageModelMiddleware => {
  const { memory, actorId, sessionId, history = 20, budget = 800 } = options;
  const session = memory.session(actorId, sessionId);

  const contextOf = async (query: string): Promise<string> =>
    (await memory.actor(actorId).context({ query: query.slice(0, 10_000), budget, sessionId })).text;

  const unlessTold = async <T>(work: () => Promise<T>, without: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (options.onError === undefined) throw error;
      options.onError(error);
      return without;
    }
  };

  const store = async (params: CallParameters, answer: string, finished: string): Promise<void> => {
    if (finished === 'tool-calls') return;
    const said = newestOfUser(params.prompt);
    const turn: Message[] = [
      ...(said === '' ? [] : [{ role: 'user', content: said }]),
      ...(answer === '' ? [] : [{ role: 'assistant', content: answer }]),
    ];
    if (turn.length === 0) return;
    const operation = params.providerOptions?.['turnkeeper']?.['operationId'] ?? options.operationId;
    const call = typeof operation === 'string' ? { idempotencyKey: operation } : {};
    await unlessTold<unknown>(() => session.append(turn, call), null);
  };

  return {
    specificationVersion: 'v3',
    transformParams: async ({ params }) => {
      const query = newestOfUser(params.prompt);
      const [earlier, known] = await Promise.all([
        history > 0 ? unlessTold(() => session.window(history), []) : [],
        budget > 0 ? unlessTold(() => contextOf(query), '') : '',
      ]);
      return { ...params, prompt: promptWith(params.prompt, earlier, known) };
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      const answer = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      await store(params, answer, result.finishReason.unified);
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream();
      let answer = '';
      let finished = '';
      const collect = new TransformStream<StreamPart, StreamPart>({
        transform: async (part, controller) => {
          if (part.type === 'text-delta') answer += part.delta;
          if (part.type === 'finish') {
            finished = part.finishReason.unified;
            // Before the reader sees the end, so that the next call finds the turn.
            await store(params, answer, finished);
          }
          controller.enqueue(part);
        },
      });
      return { ...rest, stream: stream.pipeThrough(collect) };
    },
  };
};

/** System messages first, then what is known, earlier messages, and the new ones. */
const promptWith = (prompt: Prompt, earlier: readonly ContextMessage[], known: string): Prompt => {
  const isSystem = ({ role }: PromptMessage): boolean => role === 'system';
  return [
    ...prompt.filter(isSystem),
    ...(known === '' ? [] : [{ role: 'system' as const, content: known }]),
    ...earlier.flatMap(promptMessageOf),
    ...prompt.filter((message) => !isSystem(message)),
  ];
};

const promptMessageOf = ({ role, content }: ContextMessage): PromptMessage[] => {
  const said = role.toLowerCase();
  if (content === '' || !['user', 'human', 'assistant', 'ai'].includes(said)) return [];
  const isUser = said === 'user' || said === 'human';
  return [{ role: isUser ? 'user' : 'assistant', content: [{ type: 'text', text: content }] }];
};

/** The text of the user's newest message. */
const newestOfUser = (prompt: Prompt): string => {
  const newest = prompt.findLast(({ role }) => role === 'user');
  if (newest?.role !== 'user') return '';
  return newest.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
};
