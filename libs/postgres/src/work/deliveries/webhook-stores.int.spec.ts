import { randomUUID } from 'node:crypto';
import type { DeliveryClaim, NewDelivery, WebhookEndpoint } from '@turnkeeper/application';
import { afterAttempt, newSecret, type AttemptOutcome } from '@turnkeeper/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { testCipher } from '../../testing/test-cipher.js';
import { PgDeliveryStore } from './delivery-store.js';
import { PgWebhookEndpointStore } from './webhook-endpoint-store.js';

const LEASE_SECONDS = 30;
const ROOMY = { perEndpoint: 100, perTimedOut: 100, timedOutTotal: 100, atOnce: 100 };
const SECRETS = ['whsec_new', 'whsec_old'].map((secret) => newSecret(secret, new Date('2026-01-01T00:00:00Z')));
const OK: AttemptOutcome = { kind: 'response', status: 204, durationMs: 12.4 };
const BROKEN: AttemptOutcome = { kind: 'response', status: 500, durationMs: 3, bodyExcerpt: 'out of memory' };
const GONE: AttemptOutcome = { kind: 'response', status: 410, durationMs: 3 };
const TIMED_OUT: AttemptOutcome = { kind: 'failed', code: 'timeout', message: 'no answer', durationMs: 15_000 };
const CUT_OFF: AttemptOutcome = { kind: 'failed', code: 'aborted', message: 'given up', durationMs: 5 };
/** An agent row: $1 id, $2 tenant, $3 memory. */
const AGENT = `insert into agents (agent_id, tenant_id, memory_id, actor_id, session_id, name, vendor, status, max_history,
    system_messages, params, labels, started_sequence, started_at)
  values ($1, $2, $3, 'ada', 'thread', 'a', 'agora', 'STOPPED', 32, '[]', '{}', '{}', 1, now())`;

describe('webhooks', () => {
  let database: ReadModelDatabase;
  let endpoints: PgWebhookEndpointStore;
  let store: PgDeliveryStore;
  const tenantId = randomUUID();
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    endpoints = new PgWebhookEndpointStore(database.dataSource, testCipher);
    store = new PgDeliveryStore(database.dataSource, testCipher);
  });
  afterAll(() => database?.close());
  beforeEach(() => database.rows('truncate webhook_endpoints cascade'));

  const endpoint = async (more: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> => {
    const made: WebhookEndpoint = {
      ...{ endpointId: randomUUID(), tenantId, url: 'https://example.com/hook', description: 'mine' },
      ...{ events: ['agent.history'], format: 'standard', secrets: SECRETS, status: 'active' },
      createdAt: '2026-01-01T00:00:00.000Z',
      ...more,
    };
    await endpoints.insert(made, 1_000);
    return made;
  };
  /** The endpoint as lists return it. */
  const outline = (made: WebhookEndpoint): WebhookEndpoint => ({
    ...made,
    secrets: made.secrets.map((entry) => ({ ...entry, secret: '' })),
  });
  const delivery = (endpointId: string, more: Partial<NewDelivery> = {}): NewDelivery => ({
    ...{ deliveryId: randomUUID(), tenantId, endpointId, eventType: 'agent.history' },
    ...{ causeEventId: randomUUID(), agentId: randomUUID(), messageId: `msg_${randomUUID()}`, body: null },
    ...more,
  });
  const insert = async (...deliveries: readonly NewDelivery[]): Promise<void> => {
    await database.unitOfWork.run((tx) => store.insert(tx, deliveries));
  };
  const planned = async () => {
    const made = delivery((await endpoint()).endpointId);
    await insert(made);
    return made;
  };
  const claim = ({ deliveryId }: NewDelivery) => store.claim(deliveryId, LEASE_SECONDS);
  const finish = (held: DeliveryClaim, outcome: AttemptOutcome) =>
    store.finish(held, outcome, afterAttempt(held.delivery, outcome, { now: new Date(), random: 0 }));
  const passTime = (seconds: number) =>
    database.rows(
      `update webhook_deliveries set due_at = due_at - make_interval(secs => $1),
         lease_until = lease_until - make_interval(secs => $1),
         admitted_until = admitted_until - make_interval(secs => $1)`,
      [seconds],
    );
  const list = (endpointId: string, tenant = tenantId) => store.list(tenant, endpointId, {}, { limit: 100 });
  const state = async (endpointId: string) => (await list(endpointId))[0]?.delivery;
  const attempts = async (endpointId: string) => (await list(endpointId))[0]?.history;
  /** Admitted deliveries. Clears the queued marks, as if they had timed out. */
  const due = async () => {
    await store.settleLost(10);
    const admitted = (await store.admit(ROOMY)).map(({ deliveryId }) => deliveryId);
    await database.rows('update webhook_deliveries set admitted_until = null where lease_until is null');
    return admitted;
  };

  describe('endpoints', () => {
    it("do not exceed the tenant's limit, even when created concurrently", async () => {
      const [one] = [await endpoint()];
      const make = () => endpoints.insert({ ...one!, endpointId: randomUUID() }, 5);
      const made = await Promise.all(Array.from({ length: 12 }, make));
      expect(made.filter((isMade) => isMade)).toHaveLength(4);
      expect(await endpoints.list(tenantId)).toHaveLength(5);
      expect(await endpoints.insert({ ...one!, endpointId: randomUUID(), tenantId: randomUUID() }, 5)).toBe(true);
    });

    it('round-trip unchanged, oldest first, for their own tenant only', async () => {
      const second = await endpoint({ createdAt: '2026-01-02T00:00:00.000Z', events: null, format: 'agora' });
      const first = await endpoint();
      const foreign = await endpoint({ tenantId: randomUUID() });
      expect(await endpoints.list(tenantId)).toEqual([first, second].map(outline));
      expect(await endpoints.find(tenantId, second.endpointId)).toEqual(second);
      expect(await endpoints.find(tenantId, foreign.endpointId)).toBeNull();
      expect(await endpoints.delete(tenantId, foreign.endpointId)).toBe(false);
      expect(await endpoints.delete(tenantId, first.endpointId)).toBe(true);
      expect(await endpoints.delete(tenantId, first.endpointId)).toBe(false);
    });

    it('receive news until disabled; a paused endpoint receives it later', async () => {
      const active = await endpoint();
      const paused = await endpoint({ status: 'paused' });
      await endpoint({ status: 'disabled' });
      await endpoint({ tenantId: randomUUID() });
      const told = await database.unitOfWork.run((tx) => endpoints.listening(tx, tenantId));
      expect(told).toHaveLength(2);
      expect(told).toEqual(expect.arrayContaining([active, paused].map(outline)));
    });

    it('are deleted with their deliveries and attempts', async () => {
      const made = await planned();
      await finish((await claim(made))!, BROKEN);
      await endpoints.delete(tenantId, made.endpointId);
      expect(await database.rows('select 1 from webhook_attempts')).toEqual([]);
      expect(await claim(made)).toBeNull();
    });
  });

  describe('deliveries', () => {
    it('are due immediately, longest due first', async () => {
      const first = await planned();
      await passTime(10);
      const second = await planned();
      expect(await due()).toEqual([first.deliveryId, second.deliveryId]);
      expect(await store.admit({ ...ROOMY, atOnce: 1 })).toMatchObject([{ deliveryId: first.deliveryId }]);
    });

    it('are inserted once: a repeat changes nothing', async () => {
      const made = await planned();
      await finish((await claim(made))!, OK);
      await insert(made, { ...made, deliveryId: randomUUID() }); // the message id also counts
      expect(await list(made.endpointId)).toHaveLength(1);
      expect(await state(made.endpointId)).toMatchObject({ status: 'delivered', attempts: 1 });
    });

    it('are not due while their endpoint is inactive', async () => {
      const resting = await endpoint({ status: 'paused' });
      const made = delivery(resting.endpointId);
      await insert(made);
      expect(await due()).toEqual([]);
      expect(await claim(made)).toBeNull();
    });

    it('are listed newest first, to their own tenant only', async () => {
      const { endpointId } = await endpoint();
      const [one, two] = [delivery(endpointId), delivery(endpointId)];
      await insert(one);
      // Within a millisecond, neither is newer.
      await database.rows(`update webhook_deliveries set created_at = created_at - interval '1 second'`);
      await insert(two);
      const listed = await list(endpointId);
      expect(listed.map(({ deliveryId }) => deliveryId)).toEqual([two.deliveryId, one.deliveryId]);
      expect(listed[0]).toMatchObject({ messageId: two.messageId, agentId: two.agentId, eventType: 'agent.history' });
      expect(await list(endpointId, randomUUID())).toEqual([]);
    });
  });

  describe('a claim', () => {
    it('is given to one of several workers, with all data for an attempt', async () => {
      const made = await planned();
      const claims = (await Promise.all(Array.from({ length: 10 }, () => claim(made)))).filter((held) => held !== null);
      expect(claims).toHaveLength(1);
      expect(claims[0]).toMatchObject({
        ...made,
        body: null,
        fence: 1,
        endpoint: { url: 'https://example.com/hook', secrets: SECRETS },
        delivery: { status: 'pending', attempts: 0, round: 1, lastReason: null },
      });
      expect(await due()).toEqual([]);
    });

    it('passes on when its lease expires, and the late holder can write nothing', async () => {
      const made = await planned();
      const late = (await claim(made))!;
      await passTime(LEASE_SECONDS - 1);
      expect(await claim(made)).toBeNull();
      await passTime(2);
      expect(await due()).toEqual([made.deliveryId]);
      const next = (await claim(made))!;
      expect(next.fence).toBe(2);
      await finish(late, GONE);
      expect(await state(made.endpointId)).toMatchObject({ status: 'pending', attempts: 0 });
      expect(await attempts(made.endpointId)).toEqual([]);
      expect((await endpoints.find(tenantId, made.endpointId))?.status).toBe('active');
      await finish(next, OK);
      expect(await state(made.endpointId)).toMatchObject({ status: 'delivered', attempts: 1 });
    });

    it('is renewed while held, and not after it was lost', async () => {
      const [made, other] = [await planned(), await planned()];
      const [kept, lost] = [(await claim(made))!, (await claim(other))!];
      await database.rows('update webhook_deliveries set fence = fence + 1 where delivery_id = $1', [other.deliveryId]);
      await passTime(LEASE_SECONDS - 1);
      expect(await store.renew([kept, lost], LEASE_SECONDS)).toEqual([kept]);
      await passTime(LEASE_SECONDS - 1);
      expect(await store.settleLost(10)).toMatchObject([{ deliveryId: other.deliveryId, lost: 1, parked: false }]);
      await finish(kept, OK);
      expect(await state(made.endpointId)).toMatchObject({ status: 'delivered' });
    });

    it('is renewed although an open erasure locks another of the same process, which counts as held', async () => {
      const [made, erased] = [await planned(), await planned()];
      const [kept, locked] = [(await claim(made))!, (await claim(erased))!];
      await database.dataSource.transaction(async (erasure) => {
        await erasure.query('delete from webhook_deliveries where delivery_id = $1', [erased.deliveryId]);
        expect(await store.renew([locked, kept], LEASE_SECONDS)).toEqual(expect.arrayContaining([kept, locked]));
      });
      expect(await store.renew([locked, kept], LEASE_SECONDS)).toEqual([kept]);
    });

    it('is parked with its reason after repeatedly losing its worker, and the count restarts on replay', async () => {
      const made = await planned();
      for (let loss = 1; loss <= 3; loss += 1) {
        expect(await claim(made)).not.toBeNull();
        await passTime(LEASE_SECONDS + 1);
        expect(await store.settleLost(3)).toMatchObject([{ lost: loss, parked: loss === 3 }]);
        await passTime(600);
      }
      expect(await state(made.endpointId)).toMatchObject({ status: 'parked', parkReason: 'worker_lost', dueAt: null });
      await store.replay(tenantId, made.endpointId, {}, { includeDelivered: false });
      await claim(made);
      await passTime(LEASE_SECONDS + 1);
      expect(await store.settleLost(3)).toMatchObject([{ lost: 1, parked: false }]);
    });

    it('is returned with the beginning of its body, to its own tenant and endpoint only', async () => {
      const { endpointId } = await endpoint();
      const made = delivery(endpointId, { body: Buffer.from('{"type":"x"}') });
      await insert(made);
      const content = (tenant: string, of: string, id = made.deliveryId) => store.content(tenant, of, id, 5);
      expect(await content(tenantId, endpointId)).toMatchObject({
        ...{ deliveryId: made.deliveryId, history: [], bodyBytes: 12 },
        body: Buffer.from('{"typ'),
      });
      const other = await endpoint();
      expect([
        await content(randomUUID(), endpointId),
        await content(tenantId, other.endpointId),
        await content(tenantId, endpointId, randomUUID()),
      ]).toEqual([null, null, null]);
    });

    it('keeps the first body permanently', async () => {
      const made = await planned();
      const bytes = new TextEncoder().encode('{"số":"🌊"}');
      const held = (await claim(made))!;
      const answers = await Promise.all(
        [bytes, new TextEncoder().encode('{}')].map((body) => store.freezeBody(held, body)),
      );
      expect(Buffer.compare(answers[0]!, answers[1]!)).toBe(0);
      await store.freezeBody(held, new TextEncoder().encode('other'));
      await passTime(LEASE_SECONDS + 1);
      await store.settleLost(10);
      const next = (await claim(made))!;
      expect(Buffer.compare(next.body!, answers[0]!)).toBe(0);
      expect(await store.freezeBody(held, bytes)).toBeNull();
    });
  });

  describe('an attempt', () => {
    it('that fails is retried on time and recorded', async () => {
      const made = await planned();
      await finish((await claim(made))!, BROKEN);
      expect(await state(made.endpointId)).toMatchObject({
        status: 'pending',
        attempts: 1,
        lastReason: 'server_error',
      });
      expect([await due(), await claim(made)]).toEqual([[], null]);
      await passTime(6);
      await finish((await claim(made))!, TIMED_OUT);
      await passTime(60);
      await finish((await claim(made))!, OK);
      const noted = (await attempts(made.endpointId)) ?? [];
      expect(noted.map(({ at: _, ...attempt }) => attempt)).toEqual([
        { attempt: 1, reason: 'server_error', status: 500, durationMs: 3, detail: null, response: 'out of memory' },
        {
          ...{ attempt: 2, reason: 'timeout', status: null, durationMs: 15_000 },
          ...{ detail: 'no answer', response: null },
        },
        { attempt: 3, reason: 'delivered', status: 204, durationMs: 12, detail: null, response: null },
      ]);
      expect(await state(made.endpointId)).toMatchObject({ status: 'delivered', attempts: 3, dueAt: null });
      await passTime(100_000);
      expect([await due(), await claim(made)]).toEqual([[], null]);
    });

    it('that we aborted does not count', async () => {
      const made = await planned();
      await finish((await claim(made))!, CUT_OFF);
      expect(await state(made.endpointId)).toMatchObject({ status: 'pending', attempts: 0 });
      expect(await attempts(made.endpointId)).toEqual([]);
      await passTime(2);
      expect(await claim(made)).toMatchObject({ delivery: { attempts: 0 } });
    });

    it('that finds the endpoint gone parks the message and sends nothing more to it', async () => {
      const made = await planned();
      const other = delivery(made.endpointId);
      await insert(other);
      await finish((await claim(made))!, GONE);
      expect((await endpoints.find(tenantId, made.endpointId))?.status).toBe('disabled');
      const parked = { status: 'parked', parkReason: 'endpoint_gone', dueAt: null };
      expect(
        (await list(made.endpointId)).map(({ delivery: { status, parkReason, dueAt } }) => ({
          status,
          parkReason,
          dueAt,
        })),
      ).toEqual([parked, parked]);
      expect([await due(), await claim(other)]).toEqual([[], null]);
    });
  });

  describe('bodies', () => {
    const age = (days: number) =>
      database.rows(`update webhook_deliveries set created_at = now() - make_interval(days => $1, mins => 1)`, [days]);
    const bodies = async () =>
      (
        await database.rows<{ n: number }>('select count(*)::int as n from webhook_deliveries where body is not null')
      )[0]?.n;
    const kept = async (outcome: AttemptOutcome | null, more: Partial<NewDelivery> = {}) => {
      const made = delivery((await endpoint()).endpointId, { body: Buffer.from('{}'), ...more });
      await insert(made);
      if (outcome !== null) await finish((await claim(made))!, outcome);
      return made;
    };

    it('are kept for a number of days, and while pending', async () => {
      const [delivered, parked] = [await kept(OK), await kept({ ...GONE, bodyExcerpt: 'what was sent' })];
      await kept(BROKEN);
      await kept(null);
      await age(6);
      expect([await store.purgeBodies(7, 10), await bodies()]).toEqual([false, 4]);
      await age(7);
      expect([await store.purgeBodies(7, 1), await bodies()]).toEqual([true, 3]);
      expect([await store.purgeBodies(7, 10), await bodies()]).toEqual([false, 2]);
      for (const { endpointId, deliveryId } of [delivered, parked]) {
        expect(await list(endpointId)).toEqual([expect.objectContaining({ deliveryId, purgedAt: expect.any(String) })]);
        expect(await attempts(endpointId)).toEqual([expect.objectContaining({ attempt: 1, response: null })]);
        expect(await store.content(tenantId, endpointId, deliveryId, 100)).toMatchObject({
          body: null,
          bodyBytes: null,
        });
        const replayed = await store.replay(tenantId, endpointId, { deliveryId }, { includeDelivered: true });
        expect([replayed, (await state(endpointId))?.status]).not.toContain('pending');
        expect(replayed).toBe(0);
      }
    });

    it('take the responses with them, also if a process of the previous release purges them', async () => {
      const { endpointId, deliveryId } = await kept(BROKEN);
      const responses = async () => (await attempts(endpointId))?.map(({ response }) => response);
      expect(await responses()).toEqual(['out of memory']);
      await database.rows('update webhook_deliveries set body = null where delivery_id = $1', [deliveryId]);
      expect(await responses()).toEqual([null]);
    });

    it("are kept no longer than the retention of their agent's memory", async () => {
      const memory = await database.memory({ tenantId });
      await database.rows(`update memories set event_expiry_duration = 3 where memory_id = $1`, [memory.memoryId]);
      const agentId = randomUUID();
      await database.rows(AGENT, [agentId, tenantId, memory.memoryId]);
      await kept(OK, { agentId });
      await kept(OK);
      await age(2);
      expect([await store.purgeBodies(30, 10), await bodies()]).toEqual([false, 2]);
      await age(3);
      expect([await store.purgeBodies(30, 10), await bodies()]).toEqual([false, 1]);
    });

    it('are purged before the delivery and its attempts; histories and pending deliveries stay', async () => {
      const other = { eventType: 'agent.stopped' } as const;
      const ids = [await kept(OK, other), await kept(GONE, other), await kept(OK), await kept(null, other)];
      const left = async () => {
        const rows = await database.rows<{ id: string }>('select delivery_id as id from webhook_deliveries');
        return ids.map(({ deliveryId }) => rows.some(({ id }) => id === deliveryId));
      };
      await age(90);
      expect([await store.forgetFinal(90, 1_000), await left()]).toEqual([false, [true, true, true, true]]);
      while (await store.purgeBodies(30, 1_000));
      await age(89);
      expect([await store.forgetFinal(90, 1_000), await left()]).toEqual([false, [true, true, true, true]]);
      await age(90);
      expect(await store.forgetFinal(90, 1)).toBe(true);
      while (await store.forgetFinal(90, 1));
      expect(await left()).toEqual([false, false, true, true]);
      expect(
        await database.rows('select 1 from webhook_attempts where delivery_id = any($1)', [
          ids.slice(0, 2).map(({ deliveryId }) => deliveryId),
        ]),
      ).toEqual([]);
    });
  });
});
