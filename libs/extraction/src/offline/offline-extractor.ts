import { createHash } from 'node:crypto';
import type { ExtractionInput, Extractor, RawAnswer, ReadAnswer } from '@turnkeeper/application';
import {
  holdsSecret,
  MAX_FACTS_PER_WINDOW,
  strategyKind,
  type Candidate,
  type WindowMessage,
} from '@turnkeeper/domain';
import { episodeIn } from './episode.js';
import { findFacts } from './find-facts.js';
import type { Skipped } from './skipped.js';
import { isInjection } from './gates/injection.js';
import { carriesFacts } from './rules/speakable.js';
import { summarised } from './summary.js';
import { judgeFor } from './strategies.js';

/** Increment it with every change to the rules: it determines the `promptHash` of records. */
export const OFFLINE_RULES_VERSION = 'offline-rules@12';

const carryingFacts = (messages: readonly WindowMessage[]): WindowMessage[] =>
  messages.filter((message) => carriesFacts(message) && !isInjection(message.content) && !holdsSecret(message.content));

/**
 * Extracts facts in English by rules, without a model. Deterministic. docs/quality.md reports what it finds and what it
 * misses.
 */
export class OfflineExtractor implements Extractor {
  readonly name = OFFLINE_RULES_VERSION;
  readonly costly = false;

  async ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    signal.throwIfAborted();
    return this.apply(input);
  }

  /** Synchronous version. Keeps the first `MAX_FACTS_PER_WINDOW` facts. */
  apply(input: ExtractionInput): RawAnswer {
    const { gate, takesPrompt, summary: carried } = strategyKind(input.strategyType);
    const found =
      carried === 'episode'
        ? { facts: episodeIn(input), continued: [], skipped: {} }
        : findFacts(input.messages, input.context, judgeFor(gate, input.customPrompt));
    const skipped: Skipped = takesPrompt ? { ...found.skipped, prompt: 1 } : found.skipped;
    const facts = found.facts.slice(0, MAX_FACTS_PER_WINDOW);
    const summary =
      carried === 'running' ? { summary: summarised(input.summary ?? null, facts, carryingFacts(input.messages)) } : {};
    return {
      extractor: OFFLINE_RULES_VERSION,
      model: null,
      promptHash: createHash('sha256').update(OFFLINE_RULES_VERSION).digest('hex'),
      rawAnswer: JSON.stringify({
        ...{ rules: OFFLINE_RULES_VERSION, facts: [...facts, ...found.continued], skipped },
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
