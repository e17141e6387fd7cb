import type { Embedders } from '@turnkeeper/application';
import { expect, it } from 'vitest';
import { QuestionVectors } from './question-vectors.js';

const given = (failure: (tenantId: string) => Error | null) => {
  const embedder = {
    embed: (_: readonly string[], __: AbortSignal, tenantId: string) => {
      const error = failure(tenantId);
      return error === null ? Promise.resolve([[1, 0]]) : Promise.reject(error);
    },
  };
  const serving = () => Promise.resolve({ modelId: 1, embedder } as never);
  let now = 0;
  const vectors = new QuestionVectors({ serving }, {} as Embedders, undefined, () => now);
  let asked = 0;
  const ask = (tenantId: string) =>
    vectors.compare('records', tenantId, `Where is parcel ${(asked += 1)}?`, [], (_, vector) => vector());
  return { ask, pass: (ms: number) => (now += ms) };
};

it('pauses only the tenant whose question timed out: it may have waited for its own others', async () => {
  const late = new DOMException('late', 'TimeoutError');
  let failing = true;
  const { ask, pass } = given((tenantId) => (failing && tenantId === 'large' ? late : null));
  expect(await ask('large')).toBeNull();
  failing = false;
  expect(await ask('large')).toBeNull();
  expect(await ask('small')).toEqual([1, 0]);
  pass(15_000);
  expect(await ask('large')).toEqual([1, 0]);
});

it('pauses all tenants after an error of the model', async () => {
  const { ask, pass } = given((tenantId) => (tenantId === 'first' ? new Error('refused') : null));
  expect(await ask('first')).toBeNull();
  expect(await ask('second')).toBeNull();
  pass(15_000);
  expect(await ask('second')).toEqual([1, 0]);
});
