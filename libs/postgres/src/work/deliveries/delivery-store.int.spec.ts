import { randomUUID } from 'node:crypto';
import { SendDeliveriesNow } from '@turnkeeper/application';
import type { AttemptOutcome } from '@turnkeeper/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BROKEN, DeliveryWork, GONE, LEASE_SECONDS, OK, SECRETS } from '../../testing/delivery-work.js';

const TIMED_OUT: AttemptOutcome = { kind: 'failed', code: 'timeout', message: 'no answer', durationMs: 15_000 };
const CUT_OFF: AttemptOutcome = { kind: 'failed', code: 'aborted', message: 'given up', durationMs: 5 };

describe('webhooks', () => {
  const work = new DeliveryWork();
  const { tenantId, endpoint, delivery, insert, planned, claim, finish, passTime, list, state, attempts, admit, due } =
    work;
  beforeAll(work.start);
  afterAll(work.close);
  beforeEach(work.empty);

  describe('deliveries', () => {
    it('are due immediately, longest due first', async () => {
      const first = await planned();
      await passTime(10);
      const second = await planned();
      expect(await due()).toEqual([first.deliveryId, second.deliveryId]);
      expect(await admit(1)).toMatchObject([{ deliveryId: first.deliveryId }]);
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
      await work.database.rows(`update webhook_deliveries set created_at = created_at - interval '1 second'`);
      await insert(two);
      const listed = await list(endpointId);
      expect(listed.map(({ deliveryId }) => deliveryId)).toEqual([two.deliveryId, one.deliveryId]);
      expect(listed[0]).toMatchObject({ messageId: two.messageId, agentId: two.agentId, eventType: 'agent.history' });
      expect(await list(endpointId, randomUUID())).toEqual([]);
    });
  });

  describe('a delivery to an endpoint that was repaired', () => {
    /** A delivery whose first attempt failed, so the next one is due later. */
    const failed = async (endpointId: string) => {
      const made = delivery(endpointId);
      await insert(made);
      await finish((await claim(made))!, BROKEN);
      return made;
    };
    const sendNow = () => new SendDeliveriesNow({ endpoints: work.endpoints, deliveries: work.store });

    it('is due now, by itself, without a new round', async () => {
      const { endpointId } = await endpoint();
      const [one, two] = [await failed(endpointId), await failed(endpointId)];
      expect(await due()).toEqual([]);
      expect(await sendNow().execute(tenantId, endpointId, { deliveryId: one.deliveryId })).toBe(1);
      expect(await due()).toEqual([one.deliveryId]);
      expect(await sendNow().execute(tenantId, endpointId, { deliveryId: one.deliveryId })).toBe(0);
      await finish((await claim(one))!, OK);
      const states = (await list(endpointId)).map(({ deliveryId, delivery: { status, attempts: n, round } }) => ({
        deliveryId,
        ...{ status, n, round },
      }));
      expect(states).toContainEqual({ deliveryId: one.deliveryId, status: 'delivered', n: 2, round: 1 });
      expect(states).toContainEqual({ deliveryId: two.deliveryId, status: 'pending', n: 1, round: 1 });
      const again = sendNow().execute(tenantId, endpointId, { deliveryId: one.deliveryId });
      await expect(again).rejects.toMatchObject({ code: 'webhook_delivery.not_pending' });
    });

    it('is due now with all others of the endpoint that were planned since', async () => {
      const [mine, other] = [await endpoint(), await endpoint()];
      const [old, one, two] = [
        await failed(mine.endpointId),
        await failed(mine.endpointId),
        await failed(mine.endpointId),
      ];
      await failed(other.endpointId);
      await work.database.rows(
        `update webhook_deliveries set created_at = created_at - interval '2 hours' where delivery_id = $1`,
        [old.deliveryId],
      );
      const since = new Date(Date.now() - 3_600_000).toISOString();
      expect(await sendNow().execute(tenantId, mine.endpointId, { since })).toBe(2);
      expect((await due()).sort()).toEqual([one.deliveryId, two.deliveryId].sort());
      expect(await sendNow().execute(tenantId, mine.endpointId, { since })).toBe(0);
    });

    it('is not brought forward for another tenant, nor while the endpoint is paused or disabled', async () => {
      const { endpointId } = await endpoint();
      const made = await failed(endpointId);
      const code = (sent: Promise<unknown>) => sent.then(String, (error: { code: string }) => error.code);
      expect(await code(sendNow().execute(randomUUID(), endpointId, { deliveryId: made.deliveryId }))).toBe(
        'webhook_endpoint.not_found',
      );
      expect(await code(sendNow().execute(tenantId, endpointId, { deliveryId: randomUUID() }))).toBe(
        'webhook_delivery.not_found',
      );
      for (const status of ['paused', 'disabled']) {
        await work.database.rows('update webhook_endpoints set status = $1', [status]);
        expect(await code(sendNow().execute(tenantId, endpointId, { deliveryId: made.deliveryId }))).toBe(
          `webhook_endpoint.${status}`,
        );
      }
      await work.database.rows(`update webhook_endpoints set status = 'active'`);
      expect(await due()).toEqual([]);
    });
  });

  it('parked deliveries of a disabled endpoint are not replayed', async () => {
    const made = await planned();
    await finish((await claim(made))!, GONE);
    expect(await work.store.replay(tenantId, made.endpointId, {}, { includeDelivered: false })).toBe(0);
    expect(await state(made.endpointId)).toMatchObject({ status: 'parked' });
  });

  describe('a claim', () => {
    it('is given to one of several workers, with all data for an attempt', async () => {
      const { sessionKey: _, ...made } = await planned();
      const claims = (
        await Promise.all(Array.from({ length: 10 }, () => work.store.claim(made.deliveryId, 30)))
      ).filter((held) => held !== null);
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
      expect((await work.endpoints.find(tenantId, made.endpointId))?.status).toBe('active');
      await finish(next, OK);
      expect(await state(made.endpointId)).toMatchObject({ status: 'delivered', attempts: 1 });
    });

    it('is renewed while held, and not after it was lost', async () => {
      const [made, other] = [await planned(), await planned()];
      const [kept, lost] = [(await claim(made))!, (await claim(other))!];
      await work.database.rows('update webhook_deliveries set fence = fence + 1 where delivery_id = $1', [
        other.deliveryId,
      ]);
      await passTime(LEASE_SECONDS - 1);
      expect(await work.store.renew([kept, lost], LEASE_SECONDS)).toEqual([kept]);
      await passTime(LEASE_SECONDS - 1);
      expect(await work.store.settleLost(10)).toMatchObject([{ deliveryId: other.deliveryId, lost: 1, parked: false }]);
      await finish(kept, OK);
      expect(await state(made.endpointId)).toMatchObject({ status: 'delivered' });
    });

    it('is renewed although an open erasure locks another of the same process, which counts as held', async () => {
      const [made, erased] = [await planned(), await planned()];
      const [kept, locked] = [(await claim(made))!, (await claim(erased))!];
      await work.database.dataSource.transaction(async (erasure) => {
        await erasure.query('delete from webhook_deliveries where delivery_id = $1', [erased.deliveryId]);
        expect(await work.store.renew([locked, kept], LEASE_SECONDS)).toEqual(expect.arrayContaining([kept, locked]));
      });
      expect(await work.store.renew([locked, kept], LEASE_SECONDS)).toEqual([kept]);
    });

    it('is parked with its reason after repeatedly losing its worker, and the count restarts on replay', async () => {
      const made = await planned();
      for (let loss = 1; loss <= 3; loss += 1) {
        expect(await claim(made)).not.toBeNull();
        await passTime(LEASE_SECONDS + 1);
        expect(await work.store.settleLost(3)).toMatchObject([{ lost: loss, parked: loss === 3 }]);
        await passTime(600);
      }
      expect(await state(made.endpointId)).toMatchObject({ status: 'parked', parkReason: 'worker_lost', dueAt: null });
      await work.store.replay(tenantId, made.endpointId, {}, { includeDelivered: false });
      await claim(made);
      await passTime(LEASE_SECONDS + 1);
      expect(await work.store.settleLost(3)).toMatchObject([{ lost: 1, parked: false }]);
    });

    it('is returned with the beginning of its body, to its own tenant and endpoint only', async () => {
      const { endpointId } = await endpoint();
      const made = delivery(endpointId, { body: Buffer.from('{"type":"x"}') });
      await insert(made);
      const content = (tenant: string, of: string, id = made.deliveryId) => work.store.content(tenant, of, id, 5);
      expect(await content(tenantId, endpointId)).toMatchObject({
        deliveryId: made.deliveryId,
        history: [],
        bodyBytes: 12,
        body: Buffer.from('{"typ'),
      });
      const other = await endpoint();
      expect([
        await content(randomUUID(), endpointId),
        await content(tenantId, other.endpointId),
        await content(tenantId, endpointId, randomUUID()),
      ]).toEqual([null, null, null]);
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
        { attempt: 2, reason: 'timeout', status: null, durationMs: 15_000, detail: 'no answer', response: null },
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
      expect((await work.endpoints.find(tenantId, made.endpointId))?.status).toBe('disabled');
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
});
