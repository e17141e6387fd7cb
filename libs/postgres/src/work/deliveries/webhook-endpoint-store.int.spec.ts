import { randomUUID } from 'node:crypto';
import type { WebhookEndpoint } from '@turnkeeper/application';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BROKEN, DeliveryWork } from '../../testing/delivery-work.js';

describe('webhook endpoints', () => {
  const work = new DeliveryWork();
  const { tenantId, endpoint, planned, claim, finish } = work;
  beforeAll(work.start);
  afterAll(work.close);
  beforeEach(work.empty);

  /** The endpoint as lists return it. */
  const outline = (made: WebhookEndpoint): WebhookEndpoint => ({
    ...made,
    secrets: made.secrets.map((entry) => ({ ...entry, secret: '' })),
  });

  it("do not exceed the tenant's limit, even when created concurrently", async () => {
    const [one] = [await endpoint()];
    const make = () => work.endpoints.insert({ ...one!, endpointId: randomUUID() }, 5);
    const made = await Promise.all(Array.from({ length: 12 }, make));
    expect(made.filter((isMade) => isMade)).toHaveLength(4);
    expect(await work.endpoints.list(tenantId)).toHaveLength(5);
    expect(await work.endpoints.insert({ ...one!, endpointId: randomUUID(), tenantId: randomUUID() }, 5)).toBe(true);
  });

  it('round-trip unchanged, oldest first, for their own tenant only', async () => {
    const second = await endpoint({ createdAt: '2026-01-02T00:00:00.000Z', events: null, format: 'agora' });
    const first = await endpoint();
    const foreign = await endpoint({ tenantId: randomUUID() });
    expect(await work.endpoints.list(tenantId)).toEqual([first, second].map(outline));
    expect(await work.endpoints.find(tenantId, second.endpointId)).toEqual(second);
    expect(await work.endpoints.find(tenantId, foreign.endpointId)).toBeNull();
    expect(await work.endpoints.delete(tenantId, foreign.endpointId)).toBe(false);
    expect(await work.endpoints.delete(tenantId, first.endpointId)).toBe(true);
    expect(await work.endpoints.delete(tenantId, first.endpointId)).toBe(false);
  });

  it('receive news until disabled; a paused endpoint receives it later', async () => {
    const active = await endpoint();
    const paused = await endpoint({ status: 'paused' });
    await endpoint({ status: 'disabled' });
    await endpoint({ tenantId: randomUUID() });
    const told = await work.database.unitOfWork.run((tx) => work.endpoints.listening(tx, tenantId));
    expect(told).toHaveLength(2);
    expect(told).toEqual(expect.arrayContaining([active, paused].map(outline)));
  });

  it('are deleted with their deliveries and attempts', async () => {
    const made = await planned();
    await finish((await claim(made))!, BROKEN);
    await work.endpoints.delete(tenantId, made.endpointId);
    expect(await work.database.rows('select 1 from webhook_attempts')).toEqual([]);
    expect(await claim(made)).toBeNull();
  });
});
