import type { Json, MessageAppended } from '@turnkeeper/domain';
import { earliest, endOf, later, SETTLE_MS, type CallPlan, type CallState, type Received } from '../forwarded/plan.js';
import type { RealtimeEvent, RealtimeItem } from './shapes.js';

/** How long an item waits for the event that tells its position, for senders that forward only some of the events. */
export const REALTIME_POSITION_MS = 2_000;

/** What the pending events say about one item. */
interface Known {
  readonly id: string;
  /** Id of the item before it; null: it is the first; undefined: unknown so far. */
  previous: string | null | undefined;
  isDeleted: boolean;
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
const messageOf = ({
  id,
  isDeleted,
  item,
  transcript,
  audioEndMs,
  cutReason,
  usage,
}: Known): MessageAppended | null => {
  if (isDeleted) return null;
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
const isComplete = ({ isDeleted, item, transcript, isFinal, isGivenUp, usage }: Known): boolean => {
  if (isDeleted) return true;
  if (item === null) return transcript !== null;
  if (item.role === 'user') return transcript !== null || isGivenUp || !isSpoken(item) || contentOf(item) !== '';
  if (item.role === 'assistant' || item.type === 'function_call') return isFinal && usage !== null;
  return true;
};

/** Collects what the events say about each item, in the order of the conversation. */
const itemsOf = (events: readonly Received<RealtimeEvent>[]): Known[] => {
  const items = new Map<string, Known>();
  const known = (id: string, { key, receivedAt }: Received<RealtimeEvent>): Known => {
    let one = items.get(id);
    if (one === undefined) {
      one = {
        id,
        previous: undefined,
        isDeleted: false,
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
        if (event.previous_item_id !== undefined) one.previous = event.previous_item_id;
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
      case 'conversation.item.deleted':
        known(event.item_id, received).isDeleted = true;
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
  return inOrder(items);
};

/** Each item directly after its previous one, whatever the order of arrival, which decides only what is left open. */
const inOrder = (items: ReadonlyMap<string, Known>): Known[] => {
  const isRoot = ({ id, previous }: Known): boolean => previous == null || previous === id || !items.has(previous);
  const after = new Map<string, Known[]>();
  for (const one of items.values()) {
    if (!isRoot(one)) after.set(one.previous ?? '', [...(after.get(one.previous ?? '') ?? []), one]);
  }
  const roots = [...items.values()].filter(isRoot);
  // Taken from the end. An item that was inserted later comes before those that followed the same one.
  const left = [...roots.filter(({ previous }) => previous !== null).toReversed()];
  left.push(...roots.filter(({ previous }) => previous === null));
  const ordered = new Set<Known>();
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (ordered.has(one)) continue;
    ordered.add(one);
    left.push(...(after.get(one.id) ?? []));
  }
  // Items that name each other as previous follow none.
  return [...ordered, ...[...items.values()].filter((one) => !ordered.has(one))];
};

/**
 * Plans the next steps from a call's pending events, in any number and with repeats. Messages are stored in the order of
 * the conversation: an item that waits for its transcript, or for the item before it, holds back those after it, for at most
 * `SETTLE_MS`.
 *
 * @param events in order of receipt
 * @param stored whether an item's message is in the session already
 */
export const planRealtimeCall = (
  events: readonly Received<RealtimeEvent>[],
  { now, stored, isClosed }: Omit<CallState, 'held'>,
): CallPlan => {
  const messages: CallPlan['messages'][number][] = [];
  const cuts: CallPlan['cuts'][number][] = [];
  const silent = new Set<string>();
  const open = new Set<string>();
  let waitsUntil: Date | null = null;
  const isEnded = events.some(({ event }) => event.type === 'ended');
  const items = itemsOf(events);
  const ids = new Set(items.map(({ id }) => id));
  /** Until when the item waits for what is still to arrive; null: it does not wait. */
  const waitOf = (one: Known): Date | null => {
    const { firstAt, previous } = one;
    const isKnown = previous == null || ids.has(previous) || stored(previous);
    if (!isComplete(one) || !isKnown) return later(firstAt, SETTLE_MS);
    return previous === undefined && !isEnded && !one.isDeleted ? later(firstAt, REALTIME_POSITION_MS) : null;
  };
  for (const one of items) {
    if (stored(one.id)) {
      if (one.isDeleted) cuts.push({ itemId: one.id, isDeleted: true });
      else if (one.audioEndMs !== null) cuts.push({ itemId: one.id, isDeleted: false });
      continue;
    }
    const deadline = waitOf(one);
    if (waitsUntil !== null || (deadline !== null && now < deadline)) {
      waitsUntil = earliest([waitsUntil, deadline]);
      for (const key of one.keys) open.add(key);
      continue;
    }
    const message = messageOf(one);
    if (message !== null) messages.push({ itemId: one.id, message });
    else for (const key of one.keys) silent.add(key);
  }
  const { isOver, isNewest, ...end } = endOf(
    events,
    { now, isClosed },
    { waitsUntil, end: isEnded ? { isFailure: false, reason: 'requested' } : null },
  );
  // The end stays until all messages are stored; without one, so does the newest event.
  const kept = ({ key, event, receivedAt }: Received<RealtimeEvent>): boolean =>
    open.has(key) ||
    (!isClosed &&
      !isOver &&
      // Items without a message stay too: others may follow them, and what was deleted may arrive later.
      (silent.has(key) || event.type === 'ended' || isNewest(receivedAt)));
  return { messages, cuts, settled: events.filter((received) => !kept(received)).map(({ key }) => key), ...end };
};
