import { factKey } from '../records/fact-key.js';

/** One session's state as an Inworld client received it. The platform may omit any field. */
export interface CapturedState {
  /** Counted per session: the next session starts at 1 again. */
  readonly version: number;
  readonly facts: readonly string[];
  readonly summary: string;
}

/** A user's memory, combined from the captured sessions. */
export interface ActorMemory {
  /** Oldest first, without duplicates. */
  readonly facts: readonly string[];
  /** Of all sessions that have one, oldest first, each once: a session's own summary tells of that session only. */
  readonly summaries: readonly string[];
}

/** One session's captured memory, folded over its versions. */
export interface SessionMemory {
  readonly version: number;
  /** Facts of the newest version. */
  readonly facts: readonly string[];
  /** Facts of earlier versions that a full list pushed out. They are still true; the summary covers them. */
  readonly agedFacts: readonly string[];
  readonly summary: string;
}

export const EMPTY_SESSION_MEMORY: SessionMemory = { version: 0, facts: [], agedFacts: [], summary: '' };

/**
 * Folds a captured state into the session's memory. Idempotent: a version that is not newer changes nothing.
 *
 * A fact missing from the newer version was either pushed out of a full list (it is kept as aged) or retracted by the
 * platform (it is removed).
 *
 * @param maxFacts the client's `max_facts`
 */
export const foldCapturedState = (
  memory: SessionMemory,
  captured: CapturedState,
  { maxFacts }: { readonly maxFacts: number },
): SessionMemory => {
  if (captured.version <= memory.version) return memory;
  const kept = new Set(captured.facts.map(factKey));
  const missing = memory.facts.filter((fact) => !kept.has(factKey(fact)));
  const listIsFull = captured.facts.length >= maxFacts;
  return {
    version: captured.version,
    facts: captured.facts,
    agedFacts: listIsFull ? unique([...memory.agedFacts, ...missing]) : memory.agedFacts,
    summary: captured.summary === '' ? memory.summary : captured.summary,
  };
};

/**
 * Combines a user's sessions, oldest first. Versions are not compared across sessions, and a new session without facts
 * removes nothing.
 */
export const actorMemoryOf = (sessions: readonly SessionMemory[]): ActorMemory => ({
  facts: unique(sessions.flatMap((session) => [...session.agedFacts, ...session.facts])),
  summaries: unique(sessions.map(({ summary }) => summary)),
});

const unique = (texts: readonly string[]): string[] => {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const key = factKey(text);
    if (key !== '' && !byKey.has(key)) byKey.set(key, text);
  }
  return [...byKey.values()];
};
