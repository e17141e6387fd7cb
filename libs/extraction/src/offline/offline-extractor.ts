import { createHash } from 'node:crypto';
import type { ExtractionAnswer, ExtractionInput, Extractor } from '@turnkeeper/application';
import { findFacts } from './find-facts.js';
import { judgeFor } from './strategies.js';

/** Change it with every change to the rules: it is what a record's `promptHash` stands for. */
export const OFFLINE_RULES_VERSION = 'offline-rules@1';

/**
 * Finds facts in English by rules, without a model. The same window gives the same answer, always.
 * What it finds and what it misses is measured in docs/quality.md.
 */
export class OfflineExtractor implements Extractor {
  async extract(input: ExtractionInput, signal: AbortSignal): Promise<ExtractionAnswer> {
    signal.throwIfAborted();
    const candidates = findFacts(input.messages, input.context, judgeFor(input.strategyType, input.customPrompt));
    return {
      extractor: OFFLINE_RULES_VERSION,
      model: null,
      promptHash: createHash('sha256').update(OFFLINE_RULES_VERSION).digest('hex'),
      rawAnswer: JSON.stringify({ rules: OFFLINE_RULES_VERSION, facts: candidates }),
      candidates,
    };
  }
}
