import type { CallEnd } from '@turnkeeper/application';
import { stampMs, vendorTime, type MessageAppended } from '@turnkeeper/domain';
import {
  earliest,
  endOf,
  later,
  silentEndOf,
  type CallPlan,
  type CallState,
  type Received,
} from '../forwarded/plan.js';
import { joinSentences } from '../shared/join-sentences.js';
import type { LivekitEvent, LivekitMessage, LivekitToolCall, LivekitToolOutput } from './shapes.js';

/** How long a message waits for an earlier one: requests may overtake each other. */
export const LIVEKIT_ORDER_MS = 2_000;
/** How long a call whose participant has left waits for the agent's own end. */
export const LIVEKIT_LEFT_MS = 10_000;

type One = Received<LivekitEvent>;

/** A message, with the times that put it in order. */
interface Item {
  readonly itemId: string;
  readonly createdAt: number | undefined;
  readonly received: One;
  readonly message: MessageAppended;
}

const BASE = { payloadType: 'CONVERSATIONAL' } as const;

const messageOf = ({ id, role, content, interrupted }: LivekitMessage): MessageAppended | null => {
  const text = content.filter((part) => part !== '').join('\n');
  // Instructions are no part of what was said.
  if ((role !== 'user' && role !== 'assistant') || text.trim() === '') return null;
  // LiveKit has cut the text of an interrupted answer to what was played.
  return { ...BASE, role, content: text, metadata: { item_id: id, ...(interrupted ? { interrupted } : {}) } };
};

const callOf = ({ id, call_id, name, arguments: args }: LivekitToolCall): MessageAppended => ({
  ...BASE,
  role: 'assistant',
  content: '',
  toolCalls: [{ id: call_id, type: 'function', function: { name, arguments: args } }],
  metadata: { item_id: id },
});

const outputOf = ({ id, call_id, output, is_error }: LivekitToolOutput): MessageAppended => ({
  ...BASE,
  role: 'tool',
  content: output,
  toolCallId: call_id,
  metadata: { item_id: id, ...(is_error ? { is_error } : {}) },
});

const itemsOf = (received: One): Item[] => {
  const { event } = received;
  const item = (
    { id, created_at }: LivekitMessage | LivekitToolCall | LivekitToolOutput,
    message: MessageAppended | null,
  ): Item[] => (message === null ? [] : [{ itemId: id, createdAt: created_at, received, message }]);
  if (event.type === 'conversation_item_added')
    return event.item === null ? [] : item(event.item, messageOf(event.item));
  if (event.type !== 'function_tools_executed') return [];
  return event.function_calls.flatMap((call) => {
    const output = event.function_call_outputs.find((one) => one?.call_id === call.call_id);
    // A result follows its call directly.
    return [
      ...item(call, callOf(call)),
      ...(output == null ? [] : item({ ...output, created_at: call.created_at }, outputOf(output))),
    ];
  });
};

const isUserItem = ({ event }: One): boolean => event.type === 'conversation_item_added' && event.item?.role === 'user';

const timeOf = (createdAt: number | undefined, { receivedAt }: One): number =>
  createdAt === undefined ? receivedAt.getTime() : stampMs(createdAt);

const timeOfEvent = (one: One): number => timeOf('created_at' in one.event ? one.event.created_at : undefined, one);

/** The user's last words, if the call ended before LiveKit made an item of them. */
const wordsOf = (transcripts: readonly One[]): Item[] => {
  const [first] = transcripts;
  const content = joinSentences(transcripts.map(({ event }) => ('transcript' in event ? event.transcript : '')));
  if (first === undefined || content.trim() === '') return [];
  const message = { ...BASE, role: 'user', content, metadata: { source: 'asr' } };
  return [{ itemId: `transcript ${first.key}`, createdAt: timeOfEvent(first), received: first, message }];
};

const endIn = (events: readonly One[]): (CallEnd & { readonly at: Date; readonly isFinal: boolean }) | null => {
  for (const { event, receivedAt: at } of events) {
    if (event.type === 'close') return { isFailure: event.reason === 'error', reason: event.reason, at, isFinal: true };
    if (event.type === 'ended') return { isFailure: false, reason: 'requested', at, isFinal: true };
  }
  const left = events.find(({ event }) => event.type === 'participant_left');
  return left === undefined
    ? null
    : { isFailure: false, reason: 'participant_left', at: left.receivedAt, isFinal: false };
};

/**
 * Plans the next steps of a call from its pending events. The final transcripts of what the user says come before the item
 * that holds all of it: they are stored only if the call ends without that item.
 */
export const planLivekitCall = (
  received: readonly One[],
  { now, stored, isClosed }: Omit<CallState, 'held'>,
): CallPlan => {
  const events = received.toSorted((a, b) => timeOfEvent(a) - timeOfEvent(b));
  const end = endIn(events);
  const leftAt = end === null || end.isFinal ? null : later(end.at, LIVEKIT_LEFT_MS);
  const wholeAt = earliest([leftAt, silentEndOf(events)]);
  const isWhole = end?.isFinal === true || (wholeAt !== null && wholeAt <= now);
  const newestUserItem = events.findLastIndex(isUserItem);
  const trailing = events
    .slice(newestUserItem + 1)
    .filter(({ event }) => event.type === 'user_input_transcribed' && event.is_final);
  const items = events.flatMap(itemsOf);
  if (isWhole && !isClosed) items.push(...wordsOf(trailing));
  items.sort((a, b) => timeOf(a.createdAt, a.received) - timeOf(b.createdAt, b.received));

  const messages: CallPlan['messages'][number][] = [];
  const taken = new Set<string>();
  const waiting = new Set<string>();
  let waitsUntil: Date | null = null;
  for (const {
    itemId,
    createdAt,
    received: { key, receivedAt },
    message,
  } of items) {
    if (stored(itemId) || taken.has(itemId)) continue;
    const deadline = later(receivedAt, LIVEKIT_ORDER_MS);
    if (waitsUntil !== null || (!isWhole && !isClosed && now < deadline)) {
      waitsUntil = earliest([waitsUntil, deadline]);
      waiting.add(key);
      continue;
    }
    taken.add(itemId);
    messages.push({ itemId, message, saidAt: vendorTime(createdAt, now) });
  }
  // Without a word of the agent there is only a participant who left a room.
  const isEmpty = events.every(({ event }) => event.type === 'participant_left');
  if (leftAt !== null && !isClosed && now < leftAt) waitsUntil = earliest([waitsUntil, leftAt]);
  const { isOver, isNewest, ...ending } = endOf(
    events,
    { now, isClosed },
    { waitsUntil, end: end === null ? null : { isFailure: end.isFailure, reason: end.reason } },
  );
  const kept = (one: One, index: number): boolean =>
    waiting.has(one.key) ||
    (!isClosed &&
      !isOver &&
      // The newest words of the user stay, so that their transcripts are known when they come late.
      (index === newestUserItem || trailing.includes(one) || isEndEvent(one) || isNewest(one.receivedAt)));
  return {
    messages,
    cuts: [],
    settled: events.filter((one, index) => !kept(one, index)).map(({ key }) => key),
    ...ending,
    isEmpty,
  };
};

const isEndEvent = ({ event }: One): boolean =>
  event.type === 'close' || event.type === 'ended' || event.type === 'participant_left';
