import { actorOfNamespace, modelBlock, modelJson, modelLine, modelParagraph } from '@turnkeeper/domain';
import { firstOpenRound, foldZegoCallbacks, type ReceivedZegoCallback } from '@turnkeeper/vendors';
import { describe, expect, it, vi } from 'vitest';
import { cheapest, expectLinearCost } from './cost-growth.js';

// Costs are CPU time ratios: a busy machine slows the test down but does not change them.
vi.setConfig({ testTimeout: 120_000 });

describe('CPU cost of tenant input is linear', () => {
  it('namespaces against templates', () => {
    const templates = ['{actorId}a{actorId}b{sessionId}', '/{actorId}/{sessionId}/', '{actorId}{sessionId}x'];
    const strategies = templates.map((namespaceTemplate, index) => ({
      strategyId: `${index}`,
      namespaceTemplate,
      automatic: true,
      status: 'ACTIVE',
    })) as unknown as Parameters<typeof actorOfNamespace>[0];
    expectLinearCost((text) => actorOfNamespace(strategies, text), { parts: ['a', 'b', '/', 'x', 'ab'] });
  });

  it('text for a model prompt', () => {
    const parts = ['</memory>', '<', '</', 'SYSTEM:', '\n', '\r', '\u202e', '&', ';', '"', '\\', '\ud800', 'a'];
    const encode = (text: string) => [
      modelLine(text),
      modelParagraph(text),
      modelJson({ text }),
      modelBlock('memory', [text]),
    ];
    expectLinearCost(encode, { parts });
  });

  it.each([
    ['of one round', 1],
    ['of a round each', 1_000_000],
  ])('20,000 callbacks of one call, %s, against 100 calls of 200', (_, rounds) => {
    const callbacks = (count: number): ReceivedZegoCallback[] =>
      Array.from({ length: count }, (_, index) => ({
        agentInstanceId: 'i',
        sequence: String(index),
        timestamp: index,
        event: 'LLMResult' as const,
        round: index % rounds,
        text: 'word',
        receivedAt: new Date(0),
      }));
    const [one, many] = [callbacks(20_000), Array.from({ length: 100 }, () => callbacks(200))];
    const read = (all: ReceivedZegoCallback[]) => {
      foldZegoCallbacks(all);
      firstOpenRound(all, { now: new Date(1_000_000), endedAt: null });
    };
    many.forEach(read);
    // With a lookup of each callback among all, the large call costs 32 to 44 times as much. Without, it costs four times as
    // much, because it does not fit into the CPU's caches, and eleven times while other suites use them.
    expect(cheapest(() => read(one)) / cheapest(() => many.forEach(read))).toBeLessThan(20);
  });
});
