import type { Json, MessageAppended } from '@turnkeeper/domain';
import type { RealtimeEvent, RealtimeItem } from './shapes.js';

/** How long an item waits for its transcript or its usage, which arrive asynchronously, before it is stored without. */
export const REALTIME_SETTLE_MS = 30_000;
/** A call without events for this long is treated as ended. OpenAI's sessions last at most an hour. */
export const REALTIME_SILENT_END_MS = 3_600_000;

export interface ReceivedEvent {
  readonly key: string;
  readonly receivedAt: Date;
  readonly event: RealtimeEvent;
}

export interface RealtimePlan {
  /** In the order of the conversation. */
  readonly messages: readonly { readonly itemId: string; readonly message: MessageAppended }[];
  /** Answers that were cut short after they were stored. */
  readonly cuts: readonly string[];
  /** Keys of events that need no more processing. */
  readonly settled: readonly string[];
  readonly end: { readonly isFailure: boolean; readonly reason: string } | null;
  /** When to look again if nothing arrives; null for never. */
  readonly nextAt: Date | null;
}

/** What the pending events say about one item. */
interface Known {
  readonly id: string;
  item: RealtimeItem | null;
  transcript: string | null;
  isFinal: boolean;
  isGivenUp: boolean;
  audioEndMs: number | null;
  cutReason: string | null;
  usage: { readonly [key: string]: Json } | null;
  readonly keys: string[];
  firstAt: Date;
}

const contentOf = ({ content = [] }: RealtimeItem): string =>
  content
    .map(({ text, transcript }) => text || transcript)
    .filter((said) => said !== '')
    .join(' ');

const isSpoken = ({ role, content = [] }: RealtimeItem): boolean =>
  role === 'user' && content.some(({ type }) => type === 'input_audio');

/** A message of an item; null for items without words, and for those that are no part of the conversation. */
const messageOf = ({ id, item, transcript, audioEndMs, cutReason, usage }: Known): MessageAppended | null => {
  const metadata = {
    item_id: id,
    ...(audioEndMs === null && cutReason === null ? {} : { interrupted: true }),
    ...(audioEndMs === null ? {} : { audio_end_ms: audioEndMs }),
    ...(cutReason === null ? {} : { interrupt_reason: cutReason }),
    ...(usage === null || Object.keys(usage).length === 0 ? {} : { usage }),
  };
  const base = { payloadType: 'CONVERSATIONAL' } as const;
  if (item === null) {
    return transcript === null || transcript === ''
      ? null
      : { ...base, role: 'user', content: transcript, metadata: { source: 'asr', ...metadata } };
  }
  if (item.type === 'function_call') {
    const call = { name: item.name ?? '', arguments: item.arguments ?? '' };
    const toolCalls = [{ id: item.call_id ?? id, type: 'function', function: call }];
    return { ...base, role: 'assistant', content: '', toolCalls, metadata: { source: 'llm', ...metadata } };
  }
  if (item.type === 'function_call_output') {
    return { ...base, role: 'tool', content: item.output ?? '', toolCallId: item.call_id ?? id, metadata };
  }
  const content = transcript ?? contentOf(item);
  if (item.type !== 'message' || item.role === undefined || content === '') return null;
  if (item.role === 'user') {
    return { ...base, role: 'user', content, metadata: { source: isSpoken(item) ? 'asr' : 'message', ...metadata } };
  }
  return {
    ...base,
    role: item.role,
    content,
    metadata: item.role === 'assistant' ? { source: 'llm', ...metadata } : metadata,
  };
};

/** Whether everything about the item has arrived. */
const isComplete = ({ item, transcript, isFinal, isGivenUp, usage }: Known): boolean => {
  if (item === null) return transcript !== null;
  if (item.role === 'user') return transcript !== null || isGivenUp || !isSpoken(item) || contentOf(item) !== '';
  if (item.role === 'assistant' || item.type === 'function_call') return isFinal && usage !== null;
  return true;
};

/** Collects what the events say about each item, in the order of the conversation. */
const itemsOf = (events: readonly ReceivedEvent[]): Known[] => {
  const items = new Map<string, Known>();
  let order: string[] = [];
  const known = (id: string, { key, receivedAt }: ReceivedEvent): Known => {
    let one = items.get(id);
    if (one === undefined) {
      one = {
        id,
        item: null,
        transcript: null,
        isFinal: false,
        isGivenUp: false,
        audioEndMs: null,
        cutReason: null,
        usage: null,
        keys: [],
        firstAt: receivedAt,
      };
      items.set(id, one);
      order.push(id);
    }
    if (!one.keys.includes(key)) one.keys.push(key);
    return one;
  };
  const take = (one: Known, item: RealtimeItem): void => {
    if (one.item === null || contentOf(item) !== '' || item.type !== 'message') one.item = item;
  };
  for (const received of events) {
    const { event } = received;
    switch (event.type) {
      case 'conversation.item.created':
      case 'conversation.item.added':
      case 'conversation.item.done': {
        const one = known(event.item.id, received);
        take(one, event.item);
        const before = event.previous_item_id ?? null;
        if (before !== null && before !== one.id && order.includes(before)) {
          order = order.filter((id) => id !== one.id);
          order.splice(order.indexOf(before) + 1, 0, one.id);
        }
        break;
      }
      case 'conversation.item.input_audio_transcription.completed': {
        const one = known(event.item_id, received);
        one.transcript = event.transcript;
        one.usage = event.usage ?? null;
        break;
      }
      case 'conversation.item.input_audio_transcription.failed':
        known(event.item_id, received).isGivenUp = true;
        break;
      case 'conversation.item.truncated':
        known(event.item_id, received).audioEndMs = event.audio_end_ms;
        break;
      case 'response.done': {
        const { output, usage, status, status_details } = event.response;
        output.forEach((item, index) => {
          const one = known(item.id, received);
          take(one, item);
          one.isFinal = true;
          // The tokens are those of the whole response, so they are counted once.
          one.usage = index === output.length - 1 ? (usage ?? {}) : {};
          if (status === 'cancelled') one.cutReason = status_details?.reason ?? 'cancelled';
        });
        break;
      }
      case 'session.created':
      case 'ended':
        break;
    }
  }
  return order.flatMap((id) => items.get(id) ?? []);
};

const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms);
const earliest = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce((first, date) => (date !== null && (first === null || date < first) ? date : first), null);

/**
 * Plans the next steps from a call's pending events, in any number and with repeats. Messages are stored in the order of
 * the conversation: an item that waits for its transcript holds back those after it, for at most `REALTIME_SETTLE_MS`.
 *
 * @param events in order of receipt
 * @param stored whether an item's message is in the session already
 */
export const planRealtimeCall = (
  events: readonly ReceivedEvent[],
  {
    now,
    stored,
    isClosed,
  }: { readonly now: Date; readonly stored: (itemId: string) => boolean; readonly isClosed: boolean },
): RealtimePlan => {
  const messages: RealtimePlan['messages'][number][] = [];
  const cuts: string[] = [];
  const open = new Set<string>();
  let waitsUntil: Date | null = null;
  for (const one of itemsOf(events)) {
    if (stored(one.id)) {
      if (one.audioEndMs !== null) cuts.push(one.id);
      continue;
    }
    const deadline = later(one.firstAt, REALTIME_SETTLE_MS);
    if (waitsUntil !== null || (!isComplete(one) && now < deadline)) {
      waitsUntil = earliest([waitsUntil, deadline]);
      for (const key of one.keys) open.add(key);
      continue;
    }
    const message = messageOf(one);
    if (message !== null) messages.push({ itemId: one.id, message });
  }
  const lastAt = events.reduce<Date | null>(
    (last, { receivedAt }) => (last === null || receivedAt > last ? receivedAt : last),
    null,
  );
  const isEnded = events.some(({ event }) => event.type === 'ended');
  const silentEnd = lastAt === null ? null : later(lastAt, REALTIME_SILENT_END_MS);
  const isSilent = !isEnded && silentEnd !== null && silentEnd <= now;
  const isOver = !isClosed && waitsUntil === null && (isEnded || isSilent);
  // The end stays until all messages are stored; without one, so does the newest event, for the time of the last sign of life.
  const kept = (received: ReceivedEvent): boolean =>
    open.has(received.key) ||
    (!isClosed &&
      !isOver &&
      (received.event.type === 'ended' || (!isEnded && received.receivedAt.getTime() === lastAt?.getTime())));
  return {
    messages,
    cuts,
    settled: events.filter((received) => !kept(received)).map(({ key }) => key),
    end: isOver ? { isFailure: false, reason: isEnded ? 'requested' : 'silent' } : null,
    nextAt: isClosed || isOver ? waitsUntil : (waitsUntil ?? silentEnd),
  };
};
