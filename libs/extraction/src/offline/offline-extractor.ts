import { createHash } from 'node:crypto';
import type { ExtractionInput, Extractor, RawAnswer, ReadAnswer } from '@turnkeeper/application';
import { holdsSecret, MAX_FACTS_PER_WINDOW, type Candidate, type WindowMessage } from '@turnkeeper/domain';
import { findFacts } from './find-facts.js';
import type { Skipped } from './skipped.js';
import { isInjection } from './gates/injection.js';
import { carriesFacts } from './rules/speakable.js';
import { summarised } from './summary.js';
import { judgeFor } from './strategies.js';

/** Change it with every change to the rules: it is what a record's `promptHash` stands for. */
export const OFFLINE_RULES_VERSION = 'offline-rules@3';

const carryingFacts = (messages: readonly WindowMessage[]): WindowMessage[] =>
  messages.filter((message) => carriesFacts(message) && !isInjection(message.content) && !holdsSecret(message.content));

/**
 * Finds facts in English by rules, without a model. The same window gives the same answer, always.
 * What it finds and what it misses is measured in docs/quality.md.
 */
export class OfflineExtractor implements Extractor {
  readonly name = OFFLINE_RULES_VERSION;
  readonly costly = false;

  async ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    signal.throwIfAborted();
    return this.apply(input);
  }

  /** The same without waiting. Of very many facts it keeps the first ones (`MAX_FACTS_PER_WINDOW`). */
  apply(input: ExtractionInput): RawAnswer {
    const judge = judgeFor(input.strategyType, input.customPrompt);
    const found = findFacts(input.messages, input.context, judge);
    const skipped: Skipped = input.strategyType === 'CUSTOM' ? { ...found.skipped, prompt: 1 } : found.skipped;
    const facts = found.facts.slice(0, MAX_FACTS_PER_WINDOW);
    const summary =
      input.strategyType === 'SUMMARY'
        ? { summary: summarised(input.summary ?? null, facts, carryingFacts(input.messages)) }
        : {};
    return {
      extractor: OFFLINE_RULES_VERSION,
      model: null,
      promptHash: createHash('sha256').update(OFFLINE_RULES_VERSION).digest('hex'),
      rawAnswer: JSON.stringify({ rules: OFFLINE_RULES_VERSION, facts, skipped, ...summary }),
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
