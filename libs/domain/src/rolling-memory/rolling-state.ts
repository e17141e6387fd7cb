import { modelLine } from '../model-text/model-text.js';
import { factKey } from '../records/fact-key.js';
import type { RollingWindow } from '../records/record-events.js';

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
  /** Earlier facts that are no longer true. */
  readonly ended: readonly string[];
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
  const ended = new Set(generation.ended.map(factKey));
  const current = state.facts.filter((fact) => !ended.has(factKey(fact)));
  const merged = generation.facts.reduce(addFact, current);
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

/** A window with the ids of the records that it superseded. */
export interface ReadWindow extends RollingWindow {
  readonly superseded: readonly string[];
}

/** Rolling memory of a session after all windows read by its SUMMARY strategy, oldest first. */
export const rollingStateOf = (windows: readonly ReadWindow[], settings: RollingSettings): RollingState => {
  let itemsRead = 0;
  const texts = new Map<string, string>();
  return windows.reduce((state, { facts, superseded, summary, turns, items }) => {
    itemsRead += items;
    const gone = new Set(superseded);
    const ended = superseded.flatMap((recordId) => texts.get(recordId) ?? []);
    for (const { recordId, text } of facts) texts.set(recordId, text);
    const added = facts.flatMap(({ recordId, text }) => (gone.has(recordId) ? [] : [text]));
    return foldGeneration(foldTurns(state, turns), { facts: added, ended, summary, itemsRead }, settings);
  }, EMPTY_ROLLING_STATE);
};

/** A repeated fact changes nothing. */
const addFact = (facts: readonly string[], fact: string): readonly string[] => {
  const key = factKey(fact);
  return key === '' || facts.some((known) => factKey(known) === key) ? facts : [...facts, fact];
};

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
