import { describe, expect, it } from 'vitest';
import type { DeliveryClaim } from './delivery-store.port.js';
import { DeliverWebhook } from './deliver-webhook.js';

describe('DeliverWebhook', () => {
  it('parks a delivery whose secrets cannot be decrypted, with the reason, and sends nothing', async () => {
    const secretsProblem = 'no configured key has the id "…"';
    const claim = {
      deliveryId: 'd',
      body: new Uint8Array(),
      place: null,
      claimedAt: new Date(0),
      secretsProblem,
      endpoint: { endpointId: 'e', secrets: [] },
    } as unknown as DeliveryClaim;
    const parked: unknown[] = [];
    const attempts: unknown[] = [];
    const deliver = new DeliverWebhook({
      deliveries: {
        claim: async () => claim,
        renew: async (claims: unknown) => claims,
        park: async ({ deliveryId }: DeliveryClaim, reason: string) => void parked.push([deliveryId, reason]),
      } as never,
      transport: { attempt: async (message: unknown) => void attempts.push(message) } as never,
      ...({ agents: {}, eventStore: {}, historyLinks: {} } as never as object as {
        agents: never;
        eventStore: never;
        historyLinks: never;
      }),
      monotonicMs: () => 0,
      every: () => () => undefined,
      random: () => 0,
      settings: { maxBytes: 1, leaseSeconds: 5 },
    });
    expect(await deliver.execute('d', new AbortController().signal)).toEqual({
      kind: 'parked',
      endpointId: 'e',
      reason: 'secret_unreadable',
      problem: secretsProblem,
      isInOrder: false,
    });
    expect(parked).toEqual([['d', 'secret_unreadable']]);
    expect(attempts).toEqual([]);
  });
});
