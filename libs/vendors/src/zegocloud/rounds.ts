import { joinSentences } from '../shared/join-sentences.js';

/** A parsed ZEGOCLOUD conversation callback (their docs, "Receiving callbacks"), reduced to the fields we use. */
export type ZegoCallback = {
  readonly agentInstanceId: string;
  /**
   * Decimal digits, because it may exceed 2^53. Increases within an instance, with gaps; null if the vendor omitted it.
   */
  readonly sequence: string | null;
  /** The vendor's timestamp in milliseconds since 1970. */
  readonly timestamp: number;
} & ZegoFact;

export type ZegoFact =
  /** The user's speech as recognised. */
  | { readonly event: 'ASRResult'; readonly round: number; readonly text: string; readonly userId: string | null }
  /** One sentence of the agent's answer. */
  | { readonly event: 'LLMResult'; readonly round: number; readonly text: string }
  /** The agent was interrupted; `playedText` had been spoken. */
  | { readonly event: 'Interrupted'; readonly round: number; readonly reason: number; readonly playedText: string };

/** One message of the call, ready to append to the session. */
export interface ZegoMessage {
  /** Increases with each user utterance; not consecutive. */
  readonly round: number;
  readonly role: 'user' | 'assistant';
  /** 0 for the agent and the user who spoke first in the round; 1 for the next user, and so on. */
  readonly part: number;
  /** What was said; for an interrupted answer, the part that was heard. */
  readonly content: string;
  /** Milliseconds since 1970: the earliest callback that the message was built from. */
  readonly timestamp: number;
  readonly metadata: ZegoMessageMetadata;
}

/** Metadata field names follow the Agora guide. */
interface ZegoMessageMetadata {
  readonly [key: string]: string | boolean | number;
  readonly source: 'asr' | 'llm';
}

/** ZEGOCLOUD's `Reason` of an interruption. */
const REASONS: Readonly<Record<number, string>> = {
  1: 'user_speech',
  2: 'llm_call',
  3: 'tts_call',
  4: 'interrupt_api',
};

/**
 * Deduplication key of a callback. Retries may carry a new nonce and timestamp, so neither is part of the key. Without
 * a sequence, equal text in the same round counts as a duplicate.
 */
export const zegoCallbackKey = (callback: ZegoCallback): string => {
  const { agentInstanceId, event, sequence, round } = callback;
  const words = callback.event === 'Interrupted' ? `${callback.reason}/${callback.playedText}` : callback.text;
  return JSON.stringify(
    sequence === null ? [agentInstanceId, event, round, words] : [agentInstanceId, event, zegoSequenceKey(sequence)],
  );
};

/** The sequence as part of a key. Safe integers stay numbers, so that keys stored earlier do not change. */
export const zegoSequenceKey = (sequence: string): number | string =>
  Number.isSafeInteger(Number(sequence)) ? Number(sequence) : sequence;

/**
 * Builds the messages of one instance's call from its callbacks, in any order and with duplicates. Each round gives the
 * utterance of each user and then the agent's sentences as one message. For an interrupted answer, the content is what was
 * heard and `metadata.original` is the full generated text. An answer interrupted before its first word is kept with
 * empty content. A round without words gives no message.
 */
export const foldZegoCallbacks = (callbacks: readonly ZegoCallback[]): ZegoMessage[] => {
  const byRound = new Map<number, ZegoCallback[]>();
  for (const callback of eachOnce(callbacks)) {
    const ofRound = byRound.get(callback.round);
    if (ofRound === undefined) byRound.set(callback.round, [callback]);
    else ofRound.push(callback);
  }
  return [...byRound]
    .sort(([a], [b]) => a - b)
    .flatMap(([round, facts]) => [...userMessages(round, facts), agentMessage(round, facts)])
    .filter((message) => message !== null);
};

/** ZEGOCLOUD retries a callback after 2, 4, 8, 16 and 32 s, then gives up. Includes some time for transport. */
export const ZEGO_SETTLE_MS = 65_000;

/** A callback and when it first arrived. */
export type ReceivedZegoCallback = ZegoCallback & { readonly receivedAt: Date };

/** The first round that may still receive callbacks. */
export interface OpenRound {
  /** Infinity if every round is settled. */
  readonly round: number;
  /** When the round settles if nothing more arrives; null while it has not ended. */
  readonly settlesAt: Date | null;
}

/**
 * Finds the first unsettled round. A round ends when a later one appears or the call ends; it settles once the vendor's
 * retries of its callbacks have run out after that. Settled rounds always form a prefix, and a settled round never
 * reopens.
 *
 * @param endedAt when the end of the instance was reported; null while it is running
 */
export const firstOpenRound = (
  callbacks: readonly ReceivedZegoCallback[],
  { now, endedAt }: { readonly now: Date; readonly endedAt: Date | null },
): OpenRound => {
  const firstArrival = new Map<number, number>();
  for (const { round, receivedAt } of callbacks) {
    firstArrival.set(round, Math.min(firstArrival.get(round) ?? Number.POSITIVE_INFINITY, receivedAt.getTime()));
  }
  // From the newest round backwards, so that each round is visited once.
  let overAt = endedAt?.getTime() ?? Number.POSITIVE_INFINITY;
  let firstOpen: OpenRound = { round: Number.POSITIVE_INFINITY, settlesAt: null };
  for (const [round, arrival] of [...firstArrival].sort(([one], [other]) => other - one)) {
    const settlesAt = overAt + ZEGO_SETTLE_MS;
    if (now.getTime() < settlesAt) {
      firstOpen = { round, settlesAt: Number.isFinite(settlesAt) ? new Date(settlesAt) : null };
    }
    overAt = Math.min(overAt, arrival);
  }
  return firstOpen;
};

/** The messages of the settled rounds, safe to append to the log. */
export const settledZegoMessages = (
  callbacks: readonly ReceivedZegoCallback[],
  at: { readonly now: Date; readonly endedAt: Date | null },
): ZegoMessage[] => {
  const { round: firstOpen } = firstOpenRound(callbacks, at);
  return foldZegoCallbacks(callbacks.filter(({ round }) => round < firstOpen));
};

const eachOnce = (callbacks: readonly ZegoCallback[]): ZegoCallback[] => {
  const once = new Map<string, ZegoCallback>();
  for (const callback of callbacks) {
    const key = zegoCallbackKey(callback);
    const known = once.get(key);
    // A retry may carry a new timestamp: the earliest one is closest to the event.
    if (known === undefined || callback.timestamp < known.timestamp) once.set(key, callback);
  }
  return [...once.values()];
};

/** The user who spoke first of these callbacks, in any order; null if none names one. */
export const firstZegoUser = (callbacks: readonly ZegoCallback[]): string | null => {
  const named = callbacks.flatMap((fact) => (fact.event === 'ASRResult' && fact.userId !== null ? [fact] : []));
  const round = named.reduce((lowest, fact) => Math.min(lowest, fact.round), Number.POSITIVE_INFINITY);
  return inOrder(named.filter((fact) => fact.round === round))[0]?.userId ?? null;
};

/** Callbacks of one kind in one round, in the order they happened: by sequence if all have one. */
const inOrder = <Fact extends ZegoCallback>(facts: readonly Fact[]): Fact[] => {
  const compare = facts.every((fact) => fact.sequence !== null)
    ? (a: Fact, b: Fact) => compareIntegers(a.sequence ?? '0', b.sequence ?? '0')
    : (a: Fact, b: Fact) => a.timestamp - b.timestamp;
  // The key breaks ties, so that the result does not depend on the order of arrival.
  return facts.toSorted((a, b) => compare(a, b) || (zegoCallbackKey(a) < zegoCallbackKey(b) ? -1 : 1));
};

const compareIntegers = (a: string, b: string): number => {
  const [one, other] = [BigInt(a), BigInt(b)];
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

/** One message per user, in the order in which they began to speak. Words without a user belong to the first one. */
const userMessages = (round: number, facts: readonly ZegoCallback[]): ZegoMessage[] => {
  const said = inOrder(facts.filter((fact) => fact.event === 'ASRResult')).filter(({ text }) => text !== '');
  const first = said.find(({ userId }) => userId !== null)?.userId ?? null;
  const users = [...new Set(said.map(({ userId }) => userId ?? first))];
  return users.map((user, part) => {
    const own = said.filter(({ userId }) => (userId ?? first) === user);
    const metadata = { source: 'asr', ...(user === null ? {} : { user }) } as const;
    const content = joinSentences(own.map(({ text }) => text));
    return { round, role: 'user', part, content, timestamp: earliest(own), metadata };
  });
};

const agentMessage = (round: number, facts: readonly ZegoCallback[]): ZegoMessage | null => {
  const sentences = inOrder(facts.filter((fact) => fact.event === 'LLMResult'));
  const cut = inOrder(facts.filter((fact) => fact.event === 'Interrupted')).at(-1);
  const whole = joinSentences(sentences.map((fact) => fact.text));
  const base = { round, role: 'assistant', part: 0 } as const;
  if (cut === undefined) {
    if (whole === '') return null;
    return { ...base, content: whole, timestamp: earliest(sentences), metadata: { source: 'llm' } };
  }
  if (whole === '' && cut.playedText === '') return null;
  return {
    ...base,
    content: cut.playedText,
    timestamp: earliest(sentences.length === 0 ? [cut] : sentences),
    metadata: {
      source: 'llm',
      interrupted: true,
      interrupt_timestamp: cut.timestamp,
      ...(whole === '' ? {} : { original: whole }),
      interrupt_reason: REASONS[cut.reason] ?? String(cut.reason),
    },
  };
};

const earliest = (facts: readonly ZegoCallback[]): number => Math.min(...facts.map((fact) => fact.timestamp));
