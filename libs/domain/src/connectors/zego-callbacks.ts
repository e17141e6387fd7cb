import { joinSentences } from './join-sentences.js';

/** What ZEGOCLOUD calls back about a conversation (their docs, "Receiving callbacks"), read and reduced. */
export type ZegoCallback = {
  readonly agentInstanceId: string;
  /** Decimal digits: it may be beyond 2^53. Rises within an instance, with gaps; null where the vendor left it out. */
  readonly sequence: string | null;
  /** The vendor's stamp in milliseconds since 1970. */
  readonly timestamp: number;
} & ZegoFact;

export type ZegoFact =
  /** What the user said, recognised. */
  | { readonly event: 'ASRResult'; readonly round: number; readonly text: string; readonly userId: string | null }
  /** One sentence of the agent's answer. */
  | { readonly event: 'LLMResult'; readonly round: number; readonly text: string }
  /** The agent was cut short; `playedText` had been spoken. */
  | { readonly event: 'Interrupted'; readonly round: number; readonly reason: number; readonly playedText: string };

/** One message of the call, as the session takes it. */
export interface ZegoMessage {
  /** Rises with each of the user's utterances; ordered, not consecutive. */
  readonly round: number;
  readonly role: 'user' | 'assistant';
  /** What was said, or for an interrupted answer what was heard of it. */
  readonly content: string;
  /** Milliseconds since 1970: the first callback that the message was made of. */
  readonly timestamp: number;
  readonly metadata: ZegoMessageMetadata;
}

/** The same words as the Agora guide uses for a message's metadata. */
export interface ZegoMessageMetadata {
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
 * What makes two callbacks the same one. Retries may carry a new nonce and stamp, so neither is part of it; without a
 * sequence, the same words in the same round count as a repeat.
 */
export const zegoCallbackKey = (callback: ZegoCallback): string => {
  const { agentInstanceId, event, sequence, round } = callback;
  const words = callback.event === 'Interrupted' ? `${callback.reason}/${callback.playedText}` : callback.text;
  return JSON.stringify(
    sequence === null ? [agentInstanceId, event, round, words] : [agentInstanceId, event, zegoSequenceKey(sequence)],
  );
};

/** A sequence as part of a key. A small one is a number, as it was when all of them were: stored keys stay the same. */
export const zegoSequenceKey = (sequence: string): number | string =>
  Number.isSafeInteger(Number(sequence)) ? Number(sequence) : sequence;

/**
 * The messages of one instance's call, from its callbacks in any order and with any repeats. In each round what the
 * user said comes first, then the agent's sentences as one message. Of an interrupted answer the content is what was
 * heard, and `metadata.original` all that was generated; one that was cut before its first word is kept with empty
 * content. A round without words gives no message.
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
    .flatMap(([round, facts]) => [userMessage(round, facts), agentMessage(round, facts)])
    .filter((message) => message !== null);
};

/** ZEGOCLOUD repeats a callback after 2, 4, 8, 16 and 32 s, then gives it up; a little more, for the way. */
export const ZEGO_SETTLE_MS = 65_000;

/** A callback and when it first reached us. */
export type ReceivedZegoCallback = ZegoCallback & { readonly receivedAt: Date };

/** The first round to which something may still come. */
export interface OpenRound {
  /** Infinity when there is none: all rounds are settled. */
  readonly round: number;
  /** When it will be settled if nothing more comes; null while nothing says that it is over. */
  readonly settlesAt: Date | null;
}

/**
 * Finds where the settled rounds end. A round is over when a later one has shown itself, or the call has ended; it is
 * settled when the repeats of its callbacks have run out after that. Settled rounds are always the first ones, and what
 * is settled stays so.
 *
 * @param endedAt when we learnt that the instance is gone; null while it lives
 */
export const firstOpenRound = (
  callbacks: readonly ReceivedZegoCallback[],
  { now, endedAt }: { readonly now: Date; readonly endedAt: Date | null },
): OpenRound => {
  const firstArrival = new Map<number, number>();
  for (const { round, receivedAt } of callbacks) {
    firstArrival.set(round, Math.min(firstArrival.get(round) ?? Number.POSITIVE_INFINITY, receivedAt.getTime()));
  }
  // From the newest round back, so that each looks at what came after it once.
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

/** The messages of the settled rounds, for a log that is only appended to. */
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
    // A repeat may be stamped anew: the earliest stamp is nearest to what happened.
    if (known === undefined || callback.timestamp < known.timestamp) once.set(key, callback);
  }
  return [...once.values()];
};

/** Facts of one sort in one round, in the order in which they happened: by sequence, where all of them have one. */
const inOrder = <Fact extends ZegoCallback>(facts: readonly Fact[]): Fact[] => {
  const compare = facts.every((fact) => fact.sequence !== null)
    ? (a: Fact, b: Fact) => compareIntegers(a.sequence ?? '0', b.sequence ?? '0')
    : (a: Fact, b: Fact) => a.timestamp - b.timestamp;
  // The key breaks ties, so that the order of arrival never shows.
  return facts.toSorted((a, b) => compare(a, b) || (zegoCallbackKey(a) < zegoCallbackKey(b) ? -1 : 1));
};

const compareIntegers = (a: string, b: string): number => {
  const [one, other] = [BigInt(a), BigInt(b)];
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const userMessage = (round: number, facts: readonly ZegoCallback[]): ZegoMessage | null => {
  const said = inOrder(facts.filter((fact) => fact.event === 'ASRResult'));
  const content = joinSentences(said.map((fact) => fact.text));
  if (content === '') return null;
  const user = said.find((fact) => fact.userId !== null)?.userId ?? null;
  const metadata = { source: 'asr', ...(user === null ? {} : { user }) } as const;
  return { round, role: 'user', content, timestamp: earliest(said), metadata };
};

const agentMessage = (round: number, facts: readonly ZegoCallback[]): ZegoMessage | null => {
  const sentences = inOrder(facts.filter((fact) => fact.event === 'LLMResult'));
  const cut = inOrder(facts.filter((fact) => fact.event === 'Interrupted')).at(-1);
  const whole = joinSentences(sentences.map((fact) => fact.text));
  if (cut === undefined) {
    if (whole === '') return null;
    return { round, role: 'assistant', content: whole, timestamp: earliest(sentences), metadata: { source: 'llm' } };
  }
  if (whole === '' && cut.playedText === '') return null;
  return {
    round,
    role: 'assistant',
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
