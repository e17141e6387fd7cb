import { randomUUID } from 'node:crypto';
import { ReplayDispatch, type ParkedItem, type PlanDeliveries } from '@turnkeeper/application';
import { newSecret } from '@turnkeeper/domain';
import { message, type InMemoryEventStore } from '@turnkeeper/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isLastingFailure } from '../../connections/lasting-failure.js';
import { DispatchWork, stopped, TIMING } from '../../testing/dispatch-work.js';
import { PgExtractionSchedule } from '../extraction/extraction-schedule.js';
import { PgParkedWorkStore } from '../parked/parked-work-store.js';
import { PgParkingLot } from '../parked/parking-lot.js';

describe('event dispatch of a failing event', () => {
  let work: DispatchWork;
  beforeAll(async () => {
    work = await DispatchWork.create();
  });
  afterAll(() => work?.close());
  beforeEach(() => work.empty());

  it('parks an event that fails repeatedly and continues behind it', async () => {
    await work.append(
      'a',
      Array.from({ length: 20 }, () => message()),
    );
    await work.append('b', [stopped()]);
    await work.append(
      'a',
      Array.from({ length: 20 }, () => message()),
    );
    const parked: ParkedItem[] = [];
    const poisoned = work.dispatcher(work.database.unitOfWork, {
      planDeliveries: {
        execute: async (_, events) => {
          if (events.length > 0) throw new TypeError('cannot read properties of undefined');
          return 0;
        },
      },
      onParked: (item) => parked.push(item),
    });
    for (let run = 1; run <= 2; run += 1) await expect(poisoned.execute()).rejects.toThrow(TypeError);
    // Earlier events are already dispatched.
    expect(await work.counted()).toEqual([[20, 20]]);
    await poisoned.execute();
    expect(await work.counted()).toEqual([[40, 40]]);
    expect(parked).toMatchObject([{ source: 'dispatch', itemId: '22', code: 'dispatch.event_failed', attempts: 3 }]);
    expect(await work.database.rows('select item_id from parked_items')).toEqual([{ item_id: '22' }]);
  });

  it('dispatches a parked event on request, once', async () => {
    const endpoints = work.endpoints;
    await endpoints.insert({
      endpointId: randomUUID(),
      tenantId: work.memory.tenantId,
      url: 'https://example.com',
      description: '',
      ...({ events: null, format: 'standard', status: 'active', createdAt: new Date().toISOString() } as const),
      secrets: [newSecret('s', new Date())],
    });
    await work.append('a', [message()]);
    await work.append('b', [stopped()]);
    let isPoisoned = true;
    const { planDeliveries } = work;
    const poisonable: Pick<PlanDeliveries, 'execute'> = {
      execute: async (tx, events) => {
        if (isPoisoned && events.length > 0) throw new TypeError('cannot read properties of undefined');
        return planDeliveries.execute(tx, events);
      },
    };
    const poisoned = work.dispatcher(work.database.unitOfWork, { planDeliveries: poisonable });
    while ((await work.position()) < 3) await poisoned.execute().catch(() => undefined);
    const parkingLot = new PgParkingLot(work.database.dataSource);
    const replay = new ReplayDispatch({
      unitOfWork: work.database.unitOfWork,
      eventStore: work.log,
      cursor: work.cursor,
      extractionSchedule: new PgExtractionSchedule(work.database.dataSource),
      planDeliveries: poisonable,
      timing: TIMING,
      replays: parkingLot,
      isLasting: isLastingFailure,
    });
    const parked = new PgParkedWorkStore(work.database.dataSource);
    const deliveries = () => work.database.rows('select event_type from webhook_deliveries order by event_type');
    const name = { kind: 'message', key: ['dispatch', '3'] } as const;

    // Nothing was asked for.
    await replay.execute();
    expect(await deliveries()).toEqual([]);

    // Still poisoned: it is parked again, with one more attempt.
    await parked.replay(name);
    expect(await parked.find(name)).toBeNull();
    await replay.execute();
    expect(await parked.find(name)).toMatchObject({ attempts: 4, code: 'dispatch.event_failed' });
    expect(await deliveries()).toEqual([]);

    isPoisoned = false;
    await parked.replay(name);
    await Promise.all([replay.execute(), replay.execute(), replay.execute()]);
    expect(await deliveries()).toEqual([{ event_type: 'agent.history' }, { event_type: 'agent.stopped' }]);
    expect(await work.counted()).toEqual([
      [1, 1],
      [0, 1],
    ]);
    expect(await parked.list({}, { limit: 10 })).toEqual([]);
    expect(await parkingLot.requested(10)).toEqual([]);
  });

  it('reduces the page size after a timeout and parks an event that times out alone', async () => {
    await work.append(
      'a',
      Array.from({ length: 40 }, () => message()),
    );
    const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    const parked: ParkedItem[] = [];
    const slow = (isSlow: (after: number, limit: number) => boolean) =>
      work.dispatcher(work.database.unitOfWork, {
        eventStore: Object.create(work.log, {
          readOutline: {
            value: (after: number, limit: number) =>
              isSlow(after, limit) ? Promise.reject(timeout) : work.log.readOutline(after, limit),
          },
        }) as InMemoryEventStore,
        onParked: (item) => parked.push(item),
      });
    expect(await slow((after, limit) => after < 10 && limit > 3).execute()).toMatchObject({ events: 41 });
    expect(parked).toEqual([]);

    await work.append('b', [message(), message(), message()]);
    const stuck = slow((after, limit) => after < 43 && after + limit >= 43);
    for (let run = 1; run < 5; run += 1) await expect(stuck.execute()).rejects.toThrow(timeout);
    expect(await work.position()).toBe(42);
    expect(await stuck.execute()).toMatchObject({ events: 1 });
    expect(await work.position()).toBe(44);
    expect(parked).toMatchObject([{ itemId: '43', attempts: 5 }]);
    expect(await work.counted()).toEqual([
      [40, 40],
      [2, 3],
    ]);
  });
});
