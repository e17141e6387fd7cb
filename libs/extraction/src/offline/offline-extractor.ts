import { createHash } from 'node:crypto';
import type { ExtractionInput, Extractor, RawAnswer, ReadAnswer } from '@turnkeeper/application';
import type { Candidate } from '@turnkeeper/domain';
import { findFacts } from './find-facts.js';
import { judgeFor } from './strategies.js';

/** Change it with every change to the rules: it is what a record's `promptHash` stands for. */
export const OFFLINE_RULES_VERSION = 'offline-rules@1';

/**
 * Finds facts in English by rules, without a model. The same window gives the same answer, always.
 * What it finds and what it misses is measured in docs/quality.md.
 */
export class OfflineExtractor implements Extractor {
  readonly name = OFFLINE_RULES_VERSION;
  readonly costly = false;

  async ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    signal.throwIfAborted();
    const facts = findFacts(input.messages, input.context, judgeFor(input.strategyType, input.customPrompt));
    return {
      extractor: OFFLINE_RULES_VERSION,
      model: null,
      promptHash: createHash('sha256').update(OFFLINE_RULES_VERSION).digest('hex'),
      rawAnswer: JSON.stringify({ rules: OFFLINE_RULES_VERSION, facts }),
      usage: null,
    };
  }

  read(_input: ExtractionInput, rawAnswer: string): ReadAnswer {
    return { candidates: (JSON.parse(rawAnswer) as { facts: Candidate[] }).facts };
  }
}
