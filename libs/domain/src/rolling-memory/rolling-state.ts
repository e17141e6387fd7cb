import { modelLine } from '../model-text/model-text.js';
import { factKey } from '../records/fact-key.js';
import type { RollingWindow } from '../records/record-events.js';
import { contradicts, saysTheSame, slotOf, type Slot } from '../records/slot.js';
import { isInTime } from '../records/slots/in-time.js';

/** Rolling-memory settings of a session, named after Inworld's `providerData.memory`. */
export interface RollingSettings {
  /** Completed turns between two generations. Inworld recommends 5 as a default. */
  readonly turnInterval: number;
  /** Maximum number of facts in the list; older ones move into the summary. */
  readonly maxFacts: number;
  /** Maximum length of the summary in characters. */
  readonly maxMemoryLength: number;
  /** Number of messages that a model still receives verbatim after a generation. */
  readonly maxTranscriptItems: number;
  /** Whether older messages count as trimmed once they are summarised. */
  readonly trimAfterSummarize: boolean;
}

export const ROLLING_DEFAULTS: RollingSettings = {
  turnInterval: 5,
  maxFacts: 50,
  maxMemoryLength: 2_000,
  maxTranscriptItems: 32,
  trimAfterSummarize: true,
};

/** A session's rolling memory, in the fields of Inworld's `memory.state`. */
export interface RollingState {
  /** Incremented by each generation that changed something; 0 before the first. */
  readonly version: number;
  /** Oldest first. */
  readonly facts: readonly string[];
  readonly summary: string;
  /** Text to insert before the system prompt. */
  readonly contextText: string;
  readonly turnsSinceGen: number;
  readonly totalTurns: number;
  readonly itemsTrimmed: number;
}

export const EMPTY_ROLLING_STATE: RollingState = {
  version: 0,
  facts: [],
  summary: '',
  contextText: '',
  turnsSinceGen: 0,
  totalTurns: 0,
  itemsTrimmed: 0,
};

/** Adds completed turns that no generation has read yet. */
export const foldTurns = (state: RollingState, turns: number): RollingState => ({
  ...state,
  turnsSinceGen: state.turnsSinceGen + turns,
  totalTurns: state.totalTurns + turns,
});

/** The result of one generation. */
export interface Generation {
  /** New facts, oldest first. */
  readonly facts: readonly string[];
  /** The new rolling summary. Null if the extractor writes none: the summary is then made of aged facts. */
  readonly summary: string | null;
  /** Number of messages in the session up to the end of the window. */
  readonly itemsRead: number;
}

/** Folds a generation in: adds or replaces facts, moves the oldest into the summary and trims older messages. */
export const foldGeneration = (
  state: RollingState,
  generation: Generation,
  settings: RollingSettings,
): RollingState => {
  const slots = new Map<string, Slot | null>();
  const slotIn = (fact: string): Slot | null => {
    const known = slots.get(fact);
    const filled = known === undefined ? slotOf(fact) : known;
    slots.set(fact, filled);
    return filled;
  };
  const merged = generation.facts.reduce((facts, fact) => addFact(facts, fact, slotIn), state.facts);
  const facts = merged.slice(-settings.maxFacts);
  const aged = merged.slice(0, merged.length - facts.length);
  const summary = summaryOf(generation.summary ?? [state.summary, ...aged].join(' '), settings.maxMemoryLength);
  const changed = summary !== state.summary || facts.join('\n') !== state.facts.join('\n');
  return {
    version: changed ? state.version + 1 : state.version,
    facts,
    summary,
    contextText: contextText({ facts, summary }, settings.maxMemoryLength),
    turnsSinceGen: 0,
    totalTurns: state.totalTurns,
    itemsTrimmed: settings.trimAfterSummarize
      ? Math.max(state.itemsTrimmed, generation.itemsRead - settings.maxTranscriptItems, 0)
      : state.itemsTrimmed,
  };
};

/** Rolling memory of a session after all windows read by its SUMMARY strategy, oldest first. */
export const rollingStateOf = (windows: readonly RollingWindow[], settings: RollingSettings): RollingState => {
  let itemsRead = 0;
  return windows.reduce((state, { facts, summary, turns, items }) => {
    itemsRead += items;
    const generation = { facts: facts.map(({ text }) => text), summary, itemsRead };
    return foldGeneration(foldTurns(state, turns), generation, settings);
  }, EMPTY_ROLLING_STATE);
};

/** A repeated fact changes nothing; a new value for the same slot replaces the old one and moves to the end. */
const addFact = (facts: readonly string[], fact: string, slotIn: (fact: string) => Slot | null): readonly string[] => {
  const key = factKey(fact);
  if (key === '' || facts.some((known) => factKey(known) === key)) return facts;
  const slot = slotIn(fact);
  if (slot === null) return [...facts, fact];
  return [...facts.filter((known) => !isReplaced(slotIn(known), slot)), fact];
};

/** The facts of a list carry no time of their own, so an event only ends within the month that it names. */
const isReplaced = (known: Slot | null, slot: Slot): boolean =>
  known?.key === slot.key &&
  (saysTheSame(known, slot) ||
    (contradicts(known, slot) && isInTime({ slot: known, statedAt: '' }, { slot, statedAt: '' })));

/** The newest whole sentences that fit; a single sentence that is too long is truncated. */
const summaryOf = (text: string, limit: number): string => {
  const trimmed = text.trim();
  if (trimmed.length <= limit) return trimmed;
  const sentences = trimmed.split(/(?<=[.!?])\s+/);
  while (sentences.length > 1 && sentences.join(' ').length > limit) sentences.shift();
  return sentences.join(' ').slice(0, limit);
};

/** The block of remembered text for a prompt, encoded for use between tags; empty if there is none. */
export const contextText = (
  { facts, summary }: Pick<RollingState, 'facts' | 'summary'>,
  limit: number = Number.POSITIVE_INFINITY,
): string => {
  const whole = blockOf(facts, summary);
  if (whole.length <= limit) return whole;
  // The newest facts that fit next to the summary: the block grows with every fact, so half of the rest is ruled out
  // each time.
  let [first, last] = [0, facts.length];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (blockOf(facts.slice(middle), summary).length <= limit) last = middle;
    else first = middle + 1;
  }
  return blockOf(facts.slice(first), summary).slice(0, limit);
};

/** Extractors word what the assistant said as a sentence about "the assistant". */
export const isFromAssistant = (fact: string): boolean => /^\s*(?:the\s+)?(?:ai\s+)?assistant\b/i.test(fact);

const listOf = (heading: string, facts: readonly string[]): string[] =>
  facts.length === 0 ? [] : [`${heading}:\n${facts.map((fact) => `- ${modelLine(fact)}`).join('\n')}`];

const blockOf = (facts: readonly string[], summary: string): string =>
  memorySections(
    facts.filter((fact) => !isFromAssistant(fact)),
    facts.filter(isFromAssistant),
    summary,
  );

/** The facts about the user, those from the assistant, and the summary, each encoded and under its heading. */
export const memorySections = (user: readonly string[], assistant: readonly string[], summary: string): string =>
  [
    ...listOf('Known about this user', user),
    ...listOf('From the assistant', assistant),
    ...(summary === '' ? [] : [`The conversation so far: ${modelLine(summary)}`]),
  ].join('\n\n');
