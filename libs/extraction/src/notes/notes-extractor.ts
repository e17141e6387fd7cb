import { createHash } from 'node:crypto';
import type { ExtractionInput, Extractor, RawAnswer, ReadAnswer } from '@turnkeeper/application';
import { MAX_FACTS_PER_WINDOW, strategyKind, type Candidate } from '@turnkeeper/domain';
import { episodeIn, extendedSummary } from './digest.js';
import { notesIn } from './notes.js';
import type { Skipped } from './skipped.js';
import type { NoteOfTurn } from './turn.js';

/** Stored on every record. Increment it with every change to what is noted. */
export const NOTES_VERSION = 'notes@5';

interface Found {
  readonly facts: readonly Candidate[];
  readonly skipped: Skipped;
}

/**
 * Takes notes without a model: the words of the speakers themselves, with typed values. Deterministic. docs/quality.md
 * reports what it finds and what it misses.
 */
export class NotesExtractor implements Extractor {
  readonly name = NOTES_VERSION;
  readonly costly = false;

  async ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    signal.throwIfAborted();
    return this.apply(input);
  }

  /** Synchronous version. Keeps the first `MAX_FACTS_PER_WINDOW` notes. */
  apply(input: ExtractionInput): RawAnswer {
    const { summary: carried } = strategyKind(input.strategyType);
    const { facts, skipped } = found(input);
    const summary = carried === 'running' ? { summary: extendedSummary(input) } : {};
    return {
      extractor: NOTES_VERSION,
      model: null,
      promptHash: createHash('sha256').update(NOTES_VERSION).digest('hex'),
      rawAnswer: JSON.stringify({
        notes: NOTES_VERSION,
        facts: facts.slice(0, MAX_FACTS_PER_WINDOW),
        skipped,
        ...summary,
      }),
      usage: null,
    };
  }

  async read(_input: ExtractionInput, rawAnswer: string): Promise<ReadAnswer> {
    const answer = JSON.parse(rawAnswer) as { facts: Candidate[]; skipped?: Skipped; summary?: string | null };
    const { facts, skipped, summary } = answer;
    return {
      candidates: facts,
      ...(skipped === undefined ? {} : { skipped }),
      ...(summary === undefined ? {} : { summary }),
    };
  }
}

const found = (input: ExtractionInput): Found => {
  const { strength, takesPrompt, summary } = strategyKind(input.strategyType);
  // Only a model can follow a prompt.
  if (takesPrompt) return { facts: [], skipped: { prompt: 1 } };
  if (summary === 'episode') return { facts: episodeIn(input), skipped: {} };
  const { notes, skipped } = notesIn(input.messages, input.context, strength ? 'preference' : null, input.existing);
  return { facts: notes.filter((one) => !isQuoted(one, notes)).map(({ candidate }) => candidate), skipped };
};

/** A request that is quoted with its answer needs no note of its own. What only gives context is no answer to it. */
const isQuoted = ({ note: { said }, typed, category, candidate }: NoteOfTurn, notes: readonly NoteOfTurn[]): boolean =>
  category === 'request' &&
  typed === null &&
  candidate.eventTime == null &&
  said.length === 1 &&
  notes.some(
    ({ note: { question } }) =>
      question?.message.eventId === said[0].message.eventId && question.text.includes(said[0].text),
  );
