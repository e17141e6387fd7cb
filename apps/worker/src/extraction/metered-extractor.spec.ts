import { ExtractionFailed, type ExtractionInput, type Extractor } from '@turnkeeper/application';
import { createMetrics } from '@turnkeeper/platform';
import { expect, it } from 'vitest';
import { meteredExtractor } from './metered-extractor.js';

it('counts the tokens of usable and unusable answers by type of strategy', async () => {
  const metrics = createMetrics();
  const usage = { inputTokens: 100, outputTokens: 20 };
  const ask: Extractor['ask'] = ({ strategyType }) =>
    strategyType === 'SUMMARY'
      ? Promise.reject(new ExtractionFailed('model.truncated_answer', '', null, null, usage))
      : Promise.resolve({ extractor: 'e', model: null, promptHash: '', rawAnswer: '', usage });
  const read = () => Promise.resolve({ candidates: [] });
  const extractor = meteredExtractor({ name: 'e', costly: true, ask, read }, metrics);
  const { signal } = new AbortController();
  const asked = ['SEMANTIC', 'SEMANTIC', 'SUMMARY'].map((strategyType) =>
    extractor.ask({ strategyType } as ExtractionInput, signal),
  );
  await Promise.allSettled(asked);
  const { values } = await metrics.counter('model_tokens_total').get();
  expect(values.map(({ labels, value }) => [labels.strategy, labels.direction, value])).toEqual([
    ['SEMANTIC', 'input', 200],
    ['SEMANTIC', 'output', 40],
    ['SUMMARY', 'input', 100],
    ['SUMMARY', 'output', 20],
  ]);
});
