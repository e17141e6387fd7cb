import type { Json, MessageAppended } from '@turnkeeper/domain';
import { earliest, endOf, later, SETTLE_MS, type CallPlan, type CallState, type Received } from '../forwarded/plan.js';
import { joinSentences } from '../shared/join-sentences.js';
import type { BotOutput, PipecatEvent, PipecatPart, RtviMessage } from './shapes.js';

type One = Received<PipecatEvent>;

/** A message of the conversation, and the positions of the RTVI messages that it was made from. */
interface Turn {
  readonly from: number;
  through: number;
  /** When the first and the newest of them were received. */
  readonly firstAt: Date;
  lastAt: Date;
  readonly role: 'user' | 'assistant' | 'call' | 'result';
  /** What was said; of the assistant, by the kind of message that told it. */
  readonly said: Record<'heard' | 'transcript' | 'generated', string[]>;
  /** What was shown or spoken of each segment. */
  readonly segments: Map<number, string>;
  isInterrupted: boolean;
  /** Position of the message after which nothing more belongs to it; null: it goes on. */
  endedAt: number | null;
  /** The platform's time of the first transcript; NaN if it tells none. */
  timestamp: number;
  tool?: { readonly id: string; readonly name: string; readonly json: string };
}

const BASE = { payloadType: 'CONVERSATIONAL' } as const;
const jsonOf = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? {}));

/** How much of a segment was spoken, or the whole text if it is only shown. */
const spokenOf = ({ text, spoken, will_be_spoken, spoken_status, spoken_progress }: BotOutput): string => {
  if (will_be_spoken === false || spoken_status === 'completed') return text;
  if (spoken_status == null) return spoken === true ? text : '';
  return spoken_progress?.accumulated_text ?? '';
};

/** What was heard. Without speech, what was written; an interruption leaves nothing of that. */
const contentOf = ({ said, segments, isInterrupted }: Turn): string => {
  const heard = joinSentences(said.heard) || joinSentences([...segments.values()]);
  return heard !== '' || isInterrupted ? heard : joinSentences(said.transcript) || said.generated.join('');
};

const messageOf = (turn: Turn): MessageAppended | null => {
  const { from, through, role, tool, isInterrupted, timestamp } = turn;
  const metadata = { position: from, through };
  if (tool !== undefined && role === 'call') {
    const called = { name: tool.name, arguments: tool.json };
    const toolCalls = [{ id: tool.id, type: 'function', function: called }];
    return { ...BASE, role: 'assistant', content: '', toolCalls, metadata };
  }
  if (tool !== undefined) return { ...BASE, role: 'tool', content: tool.json, toolCallId: tool.id, metadata };
  const content = contentOf(turn).trim();
  if (content === '') return null;
  if (role === 'user') {
    const told = Number.isNaN(timestamp) ? {} : { timestamp };
    return { ...BASE, role, content, ...told, metadata: { source: 'asr', ...metadata } };
  }
  const cut = isInterrupted ? { interrupted: true } : {};
  return { ...BASE, role: 'assistant', content, metadata: { source: 'llm', ...cut, ...metadata } };
};

interface Placed {
  readonly at: number;
  readonly message: RtviMessage;
  readonly receivedAt: Date;
}

/**
 * The turns in the messages, in order. A turn of the user ends when the bot begins, a turn of the bot when it stops, is
 * interrupted, or the user's words arrive.
 */
const turnsOf = (placed: readonly Placed[], isCovered: (at: number) => boolean): Turn[] => {
  const turns: Turn[] = [];
  const calls = new Map<string, Turn>();
  let open: Turn | null = null;
  const close = (at: number, role?: Turn['role']): void => {
    if (open === null || (role !== undefined && open.role !== role)) return;
    open.endedAt = at;
    open = null;
  };
  const begin = (role: Turn['role'], { at, receivedAt }: Placed): Turn => {
    const said = { heard: [], transcript: [], generated: [] };
    const turn: Turn = {
      ...{ from: at, through: at, firstAt: receivedAt, lastAt: receivedAt, role, said },
      ...{ segments: new Map(), isInterrupted: false, endedAt: null, timestamp: Number.NaN },
    };
    turns.push(turn);
    return turn;
  };
  const speak = (role: 'user' | 'assistant', one: Placed): Turn => {
    if (open?.role !== role) {
      close(one.at);
      open = begin(role, one);
    }
    open.through = one.at;
    open.lastAt = one.receivedAt;
    return open;
  };
  for (const one of placed) {
    const { at, message } = one;
    if (isCovered(at)) {
      close(at);
      continue;
    }
    switch (message.type) {
      case 'user-transcription': {
        if (!message.data.final) break;
        const turn = speak('user', one);
        turn.said.heard.push(message.data.text);
        if (Number.isNaN(turn.timestamp)) turn.timestamp = Date.parse(message.data.timestamp ?? '');
        break;
      }
      case 'bot-tts-text':
        speak('assistant', one).said.heard.push(message.data.text);
        break;
      case 'bot-output':
        speak('assistant', one).segments.set(message.data.segment_id ?? -at - 1, spokenOf(message.data));
        break;
      case 'bot-transcription':
        speak('assistant', one).said.transcript.push(message.data.text);
        break;
      case 'bot-llm-text':
        speak('assistant', one).said.generated.push(message.data.text);
        break;
      case 'bot-llm-started':
      case 'bot-started-speaking':
        close(at, 'user');
        break;
      case 'bot-stopped-speaking':
        close(at, 'assistant');
        break;
      case 'bot-interrupted': {
        const current = open as Turn | null;
        if (current?.role === 'assistant') {
          current.isInterrupted = true;
          current.through = at;
        }
        close(at, 'assistant');
        break;
      }
      case 'llm-function-call':
      case 'llm-function-call-in-progress': {
        close(at, 'user');
        const { tool_call_id: id, function_name: name } = message.data;
        // The report level of the observer may keep the name back.
        if (name == null || calls.has(id)) break;
        const args = 'args' in message.data ? message.data.args : (message.data as { arguments?: Json }).arguments;
        const turn = begin('call', one);
        turn.tool = { id, name, json: jsonOf(args) };
        calls.set(id, turn);
        break;
      }
      case 'llm-function-call-stopped': {
        const { tool_call_id: id, result } = message.data;
        const call = calls.get(id);
        if (call !== undefined) call.endedAt = at;
        if (result == null) break;
        const turn = begin('result', one);
        turn.endedAt = at;
        turn.tool = { id, name: '', json: jsonOf(result) };
        if (call === undefined) break;
        // A result follows its call directly, whatever was said meanwhile.
        turns.pop();
        turns.splice(turns.indexOf(call) + 1, 0, turn);
        break;
      }
    }
  }
  return turns;
};

/**
 * Plans the next steps of a call from its pending requests: each message is made once, from messages at positions that no
 * stored message was made from. What is missing between the positions is waited for, for at most `SETTLE_MS`.
 */
export const planPipecatCall = (events: readonly One[], { now, stored, held, isClosed }: CallState): CallPlan => {
  const ranges = held.flatMap(({ position, through }): [number, number][] =>
    typeof position === 'number' && typeof through === 'number' && stored(String(position))
      ? [[position, through]]
      : [],
  );
  const storedThrough = Math.max(-1, ...ranges.map(([, through]) => through));
  const parts = events
    .flatMap(({ key, receivedAt, event }) => (event.type === 'ended' ? [] : [{ key, receivedAt, ...event }]))
    .toSorted((a, b) => a.position - b.position);
  const placed = new Map<number, Placed>();
  for (const { messages, receivedAt } of parts) {
    for (const one of messages) if (!placed.has(one.at)) placed.set(one.at, { ...one, receivedAt });
  }
  const turns = turnsOf(
    [...placed.values()].toSorted((a, b) => a.at - b.at),
    (at) => ranges.some(([from, through]) => from <= at && at <= through),
  );
  const isEnded = events.some(({ event }) => event.type === 'ended');
  const gap = gapIn(parts, storedThrough + 1);

  const messages: CallPlan['messages'][number][] = [];
  const open: Turn[] = [];
  let waitsUntil: Date | null = null;
  let saidAt: Date | null = null;
  for (const turn of turns) {
    const { from, firstAt, lastAt, endedAt } = turn;
    const isBehindGap = gap !== null && (endedAt ?? turn.through) >= gap.at;
    const since = isBehindGap ? gap.since : lastAt;
    const isReady = !isBehindGap && (endedAt !== null || isEnded || isClosed);
    if (waitsUntil !== null || (!isReady && now < later(since, SETTLE_MS))) {
      waitsUntil = earliest([waitsUntil, later(since, SETTLE_MS)]);
      open.push(turn);
      continue;
    }
    const message = messageOf(turn);
    if (message === null) continue;
    const late = from < storedThrough ? { metadata: { ...message.metadata, late: true } } : {};
    // Only transcripts have a time of the platform, so all have ours; requests may overtake each other.
    if (saidAt === null || firstAt > saidAt) saidAt = firstAt;
    messages.push({ itemId: String(from), message: { ...message, ...late }, saidAt: saidAt.toISOString() });
    ranges.push([from, turn.through]);
  }
  const { isOver, isNewest, ...end } = endOf(
    events,
    { now, isClosed },
    { waitsUntil, end: isEnded ? { isFailure: false, reason: 'requested' } : null },
  );
  const through = Math.max(-1, ...ranges.map(([, to]) => to));
  const kept = ({ event, receivedAt }: One): boolean => {
    if (event.type === 'ended') return !isOver && !isClosed;
    const last = event.position + event.count - 1;
    if (open.some((turn) => event.position <= turn.through && turn.from <= last)) return true;
    // What follows the last message stays, so that what is missing between the positions is known.
    return !isClosed && !isOver && (last > through || isNewest(receivedAt));
  };
  return { messages, cuts: [], settled: events.filter((one) => !kept(one)).map(({ key }) => key), ...end };
};

/** Where messages are missing, and since when later ones have been here; null: nowhere. */
const gapIn = (
  parts: readonly (PipecatPart & { readonly receivedAt: Date })[],
  from: number,
): { readonly at: number; readonly since: Date } | null => {
  let expected = from;
  for (const { position, count, receivedAt } of parts) {
    if (position > expected) return { at: position, since: receivedAt };
    expected = Math.max(expected, position + count);
  }
  return null;
};
