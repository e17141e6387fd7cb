import { randomUUID } from 'node:crypto';
import type { NewDelivery } from '@turnkeeper/application';
import type { AttemptOutcome } from '@turnkeeper/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@turnkeeper/testing';
import { BROKEN, DeliveryWork, GONE, LEASE_SECONDS, OK } from '../../testing/delivery-work.js';

/** An agent row: $1 id, $2 tenant, $3 memory. */
const AGENT = `insert into agents (agent_id, tenant_id, memory_id, actor_id, session_id, name, vendor, status, max_history,
    system_messages, params, labels, started_sequence, started_at)
  values ($1, $2, $3, 'ada', 'thread', 'a', 'agora', 'STOPPED', 32, '[]', '{}', '{}', 1, now())`;

describe('webhook bodies', () => {
  const work = new DeliveryWork();
  const { tenantId, endpoint, delivery, insert, claim, finish, list, state, attempts } = work;
  beforeAll(work.start);
  afterAll(work.close);
  beforeEach(work.empty);

  const age = (days: number) =>
    work.database.rows(`update webhook_deliveries set created_at = now() - make_interval(days => $1, mins => 1)`, [
      days,
    ]);
  const bodies = async () =>
    (
      await work.database.rows<{ n: number }>(
        'select count(*)::int as n from webhook_deliveries where body is not null',
      )
    )[0]?.n;
  const kept = async (outcome: AttemptOutcome | null, more: Partial<NewDelivery> = {}) => {
    const made = delivery((await endpoint()).endpointId, { body: Buffer.from('{}'), ...more });
    await insert(made);
    if (outcome !== null) await finish((await claim(made))!, outcome);
    return made;
  };

  it('are kept for a number of days, and while pending', async () => {
    const [delivered, parked] = [
      await kept(OK),
      await kept({ kind: 'response', status: 410, durationMs: 3, bodyExcerpt: 'what was sent' }),
    ];
    await kept(BROKEN);
    await kept(null);
    await age(6);
    expect([await work.store.purgeBodies(7, 10), await bodies()]).toEqual([false, 4]);
    await age(7);
    expect([await work.store.purgeBodies(7, 1), await bodies()]).toEqual([true, 3]);
    expect([await work.store.purgeBodies(7, 10), await bodies()]).toEqual([false, 2]);
    for (const { endpointId, deliveryId } of [delivered, parked]) {
      expect(await list(endpointId)).toEqual([expect.objectContaining({ deliveryId, purgedAt: expect.any(String) })]);
      expect(await attempts(endpointId)).toEqual([expect.objectContaining({ attempt: 1, response: null })]);
      expect(await work.store.content(tenantId, endpointId, deliveryId, 100)).toMatchObject({
        body: null,
        bodyBytes: null,
      });
      const replayed = await work.store.replay(tenantId, endpointId, { deliveryId }, { includeDelivered: true });
      expect([replayed, (await state(endpointId))?.status]).not.toContain('pending');
      expect(replayed).toBe(0);
    }
  });

  it('take the responses with them, also if a process of the previous release purges them', async () => {
    const { endpointId, deliveryId } = await kept(BROKEN);
    const responses = async () => (await attempts(endpointId))?.map(({ response }) => response);
    expect(await responses()).toEqual(['out of memory']);
    await work.database.rows('update webhook_deliveries set body = null where delivery_id = $1', [deliveryId]);
    expect(await responses()).toEqual([null]);
  });

  it("are kept no longer than the retention of their agent's memory", async () => {
    const memory = await work.database.memory({ tenantId });
    await work.database.rows(`update memories set event_expiry_duration = 3 where memory_id = $1`, [memory.memoryId]);
    const agentId = randomUUID();
    await work.database.rows(AGENT, [agentId, tenantId, memory.memoryId]);
    await kept(OK, { agentId });
    await kept(OK);
    await age(2);
    expect([await work.store.purgeBodies(30, 10), await bodies()]).toEqual([false, 2]);
    await age(3);
    expect([await work.store.purgeBodies(30, 10), await bodies()]).toEqual([false, 1]);
  });

  describe('of an agent', () => {
    const BODY = new TextEncoder().encode('{"said":"x"}');
    /** A claimed delivery about an agent whose session has messages. */
    const claimed = async (messages: number) => {
      const memory = await work.database.memory({ tenantId });
      const session = await work.database.session(memory);
      await work.database.say(session, messages);
      const rows = await work.database.rows<{ id: string }>(
        'select event_id as id from events where session_key = $1 order by sequence',
        [session.sessionKey],
      );
      const agentId = randomUUID();
      await work.database.rows(AGENT, [agentId, tenantId, memory.memoryId]);
      const made = await kept(null, { agentId, body: null });
      return { ...session, made, held: (await claim(made))!, messageIds: rows.map(({ id }) => id) };
    };

    it('keep the first one permanently', async () => {
      const { held, made, messageIds } = await claimed(2);
      const first = [BODY, new TextEncoder().encode('{}')].map((body) => work.store.freezeBody(held, body, messageIds));
      const [one, other] = await Promise.all(first);
      expect(Buffer.compare(one!, other!)).toBe(0);
      expect(await work.store.freezeBody(held, new TextEncoder().encode('other'), messageIds)).toEqual(one);
      await work.passTime(LEASE_SECONDS + 1);
      await work.store.settleLost(10);
      expect((await claim(made))!.body).toEqual(one);
      expect(await work.store.freezeBody(held, BODY, messageIds)).toBeNull();
    });

    it.each([
      ['the session', 'delete from sessions where session_key = $1'],
      [
        'a message',
        'select erase_event(tenant_id, session_key, event_id) from events where session_key = $1 and sequence = 2',
      ],
    ])('are not stored if %s was erased after it was read, also if that is not committed yet', async (_, erase) => {
      const { held, made, sessionKey, messageIds } = await claimed(2);
      const frozen = await work.database.dataSource.transaction(async (manager) => {
        await manager.query('select from sessions where session_key = $1 for update', [sessionKey]);
        await manager.query(erase, [sessionKey]);
        const freezing = work.store.freezeBody(held, BODY, messageIds);
        await eventually(
          async () =>
            (
              await work.database.rows(
                `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
              )
            ).length > 0,
        );
        return { freezing };
      });
      expect(await frozen.freezing).toBeNull();
      expect(await bodies()).toBe(0);
      // Composed anew at once; the claim was not lost.
      expect(await claim(made)).toMatchObject({ body: null, delivery: { attempts: 0 } });
    });
  });

  it('are purged before the delivery and its attempts; histories and pending deliveries stay', async () => {
    const other = { eventType: 'agent.stopped' } as const;
    const ids = [await kept(OK, other), await kept(GONE, other), await kept(OK), await kept(null, other)];
    const left = async () => {
      const rows = await work.database.rows<{ id: string }>('select delivery_id as id from webhook_deliveries');
      return ids.map(({ deliveryId }) => rows.some(({ id }) => id === deliveryId));
    };
    await age(90);
    expect([await work.store.forgetFinal(90, 1_000), await left()]).toEqual([false, [true, true, true, true]]);
    while (await work.store.purgeBodies(30, 1_000));
    await age(89);
    expect([await work.store.forgetFinal(90, 1_000), await left()]).toEqual([false, [true, true, true, true]]);
    await age(90);
    expect(await work.store.forgetFinal(90, 1)).toBe(true);
    while (await work.store.forgetFinal(90, 1));
    expect(await left()).toEqual([false, false, true, true]);
    expect(
      await work.database.rows('select 1 from webhook_attempts where delivery_id = any($1)', [
        ids.slice(0, 2).map(({ deliveryId }) => deliveryId),
      ]),
    ).toEqual([]);
  });
});
