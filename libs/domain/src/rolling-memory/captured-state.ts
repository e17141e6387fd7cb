import { factKey } from '../records/admit.js';

/** The state of one session as an Inworld client received it. Every field may be missing there. */
export interface CapturedState {
  /** Counts within one session only: the next session starts at 1 again. */
  readonly version: number;
  readonly facts: readonly string[];
  readonly summary: string;
}

/** What a user's captured sessions add up to. */
export interface ActorMemory {
  /** Oldest first; each once. */
  readonly facts: readonly string[];
  /** Of the session that spoke last and has one. */
  readonly summary: string;
}

/** A session's captured memory, folded over its versions. */
export interface SessionMemory {
  readonly version: number;
  /** What the newest version holds. */
  readonly facts: readonly string[];
  /** Facts of earlier versions that aged out of a full list. They are still true; the summary speaks of them. */
  readonly agedFacts: readonly string[];
  readonly summary: string;
}

export const EMPTY_SESSION_MEMORY: SessionMemory = { version: 0, facts: [], agedFacts: [], summary: '' };

/**
 * Takes a captured state in. A version that is not newer than the session's own changes nothing, so repeats are
 * harmless.
 *
 * A fact that the newer version no longer holds was either pushed out, when the list is full (then it stays, aged), or
 * taken back by the platform (then it is gone from what this session says).
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
 * Adds up a user's sessions, oldest first. Versions are never compared between sessions, and a new session that knows
 * nothing yet takes nothing away.
 */
export const actorMemoryOf = (sessions: readonly SessionMemory[]): ActorMemory => ({
  facts: unique(sessions.flatMap((session) => [...session.agedFacts, ...session.facts])),
  summary: sessions.findLast((session) => session.summary !== '')?.summary ?? '',
});

const unique = (facts: readonly string[]): string[] => {
  const byKey = new Map<string, string>();
  for (const fact of facts) {
    const key = factKey(fact);
    if (key !== '' && !byKey.has(key)) byKey.set(key, fact);
  }
  return [...byKey.values()];
};
