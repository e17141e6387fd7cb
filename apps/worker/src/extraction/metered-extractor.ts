import { ExtractionFailed, type Extractor } from '@turnkeeper/application';
import type { Metrics } from '@turnkeeper/platform';

/** The extractor with metrics for the duration and cost of model calls. Notes call no model. */
export const meteredExtractor = (extractor: Extractor, metrics: Metrics): Extractor => {
  if (!extractor.costly) return extractor;
  const duration = metrics.histogram('model_call_duration_seconds');
  const tokens = metrics.counter('model_tokens_total');
  const count = (strategy: string, usage: ExtractionFailed['usage']): void => {
    if (usage === null) return;
    tokens.inc({ direction: 'input', strategy }, usage.inputTokens);
    tokens.inc({ direction: 'output', strategy }, usage.outputTokens);
  };
  return {
    name: extractor.name,
    costly: true,
    read: (input, rawAnswer, signal) => extractor.read(input, rawAnswer, signal),
    ask: async (input, signal) => {
      const startedAt = performance.now();
      const ended = (outcome: string): void => duration.observe({ outcome }, (performance.now() - startedAt) / 1_000);
      try {
        const answer = await extractor.ask(input, signal);
        ended('answered');
        count(input.strategyType, answer.usage);
        return answer;
      } catch (error) {
        if (error instanceof ExtractionFailed) {
          ended(error.code);
          count(input.strategyType, error.usage);
        } else if (!signal.aborted) ended('error');
        throw error;
      }
    },
  };
};
