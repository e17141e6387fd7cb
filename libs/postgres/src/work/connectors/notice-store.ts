import {
  CallLost,
  CallTooLarge,
  type CallClaim,
  type CallNotice,
  type NewNotice,
  type NoticePlace,
  type NoticeStatus,
  type NoticeStore,
  type NoticeView,
  type Transaction,
  type PageAfter,
} from '@turnkeeper/application';
import type { DataSource, EntityManager } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { renewLeases, type LeasedTable } from '../renew-leases.js';
import { sqlFor, sqlOf, sqlViewsFor, sqlViewsOf } from '../../connections/sql.js';

/** How long used signatures are stored. They are accepted within 10 minutes before or after their timestamp. */
const STAMP_MINUTES = 60;

/** A fold holds all notices of its call in memory. */
const MAX_CALL_BYTES = 32 * 1_048_576;

const CALLS: LeasedTable<CallClaim> = {
  table: 'connector_calls',
  key: [
    ['connector_id', 'uuid', ({ connectorId }) => connectorId],
    ['call_key', 'text', ({ callKey }) => callKey],
  ],
  until: ['lease_until'],
};

export class PgNoticeStore implements NoticeStore {
  /** @param maxCallBytes maximum size of the pending notices of a call */
  constructor(
    private readonly dataSource: DataSource,
    private readonly maxCallBytes = MAX_CALL_BYTES,
  ) {}

  receive(notice: NewNotice): Promise<'stored' | 'duplicate' | 'stamp_used'> {
    return this.dataSource.transaction(async (manager) => {
      if (notice.stamp !== null && !(await takeStamp(manager, notice, notice.stamp))) return 'stamp_used';
      const stored = await sqlOf(manager)`
        insert into connector_notices
          (connector_id, notice_key, tenant_id, call_key, event_type, body, status, code)
        values (${notice.connectorId}, ${notice.noticeKey}, ${notice.tenantId}, ${notice.callKey},
          ${notice.eventType}, ${notice.body === null ? null : Buffer.from(notice.body)}, ${notice.status},
          ${notice.code}) on conflict do nothing returning notice_key`;
      if (stored.length === 0) return 'duplicate';
      if (notice.callKey !== null && notice.status === 'waiting') {
        await sqlOf(manager)`
          insert into connector_calls as c (connector_id, call_key, tenant_id, actor_id, session_id, due_at)
          values (${notice.connectorId}, ${notice.callKey}, ${notice.tenantId}, ${notice.place?.actorId ?? null},
            ${notice.place?.sessionId ?? null}, now())
          on conflict (connector_id, call_key)
          do update set due_at = now(), version = c.version + 1, updated_at = now(),
                        actor_id = coalesce(c.actor_id, excluded.actor_id),
                        session_id = coalesce(c.session_id, excluded.session_id)`;
      }
      return 'stored';
    });
  }

  async claimCall(leaseSeconds: number): Promise<CallClaim | null> {
    const [claim] = await sqlViewsOf<CallClaim>(this.dataSource)`
      update connector_calls c
         set fence = c.fence + 1, failures = c.failures + (c.lease_until is not null)::int,
             lease_until = now() + make_interval(secs => ${leaseSeconds})
        from (select connector_id, call_key from connector_calls
               where due_at <= now() and (lease_until is null or lease_until < now())
               order by due_at limit 1 for update skip locked) as due
       where c.connector_id = due.connector_id and c.call_key = due.call_key
      returning c.connector_id, c.tenant_id, c.call_key, c.settled_round::float8, c.failures, c.version::float8,
                c.fence::float8`;
    return claim ?? null;
  }

  renewCalls(claims: readonly CallClaim[], leaseSeconds: number): Promise<readonly CallClaim[]> {
    return renewLeases(this.dataSource, CALLS, claims, leaseSeconds);
  }

  async noticesOf(tx: Transaction, { connectorId, callKey }: CallClaim): Promise<readonly CallNotice[]> {
    const pending = `from connector_notices
      where connector_id = $1 and call_key = $2 and status in ('waiting', 'applied')`;
    const [size] = await rowsOf<{ bytes: number }>(
      managerOf(tx),
      `select coalesce(sum(octet_length(body)), 0)::float8 as bytes ${pending}`,
      [connectorId, callKey],
    );
    if ((size?.bytes ?? 0) > this.maxCallBytes) throw new CallTooLarge();
    return rowsOf<CallNotice>(
      managerOf(tx),
      `select notice_key as "noticeKey", event_type as "eventType", body, received_at as "receivedAt", status
         ${pending} order by arrival`,
      [connectorId, callKey],
    );
  }

  async mark(
    tx: Transaction,
    { connectorId }: CallClaim,
    noticeKeys: readonly string[],
    status: NoticeStatus,
    code: string | null = null,
  ): Promise<void> {
    if (noticeKeys.length === 0) return;
    await sqlOf(managerOf(tx))`
      update connector_notices
         set status = ${status}, code = ${code}, body = case when ${status} in ('folded', 'ignored') then null
           else body end
       where connector_id = ${connectorId} and notice_key = any(${noticeKeys})`;
  }

  async finishCall(
    tx: Transaction,
    claim: CallClaim,
    { at, settledRound, place }: Parameters<NoticeStore['finishCall']>[2],
  ): Promise<void> {
    const held = await sqlOf(managerOf(tx))`
      update connector_calls
         set due_at = case when version = ${claim.version} then ${at} else due_at end,
           settled_round = ${settledRound}, failures = 0,
             actor_id = coalesce(${place?.actorId ?? null}, actor_id),
               session_id = coalesce(${place?.sessionId ?? null}, session_id),
             lease_until = null, updated_at = now()
       where connector_id = ${claim.connectorId} and call_key = ${claim.callKey} and fence = ${claim.fence}
         returning call_key`;
    if (held.length === 0) throw new CallLost();
  }

  async retryCall(claim: CallClaim, inMs: number): Promise<void> {
    await sqlOf(this.dataSource)`
      update connector_calls
         set due_at = now() + make_interval(secs => ${inMs}::float8 / 1000), failures = failures + 1,
           lease_until = null,
             updated_at = now()
       where connector_id = ${claim.connectorId} and call_key = ${claim.callKey} and fence = ${claim.fence}`;
  }

  async parkCall(claim: CallClaim, code: string, { keepBodies }: { readonly keepBodies: boolean }): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const held = await sqlOf(manager)`
        update connector_calls
           set due_at = case when version = ${claim.version} then null else due_at end, failures = 0,
             lease_until = null,
               updated_at = now()
         where connector_id = ${claim.connectorId} and call_key = ${claim.callKey} and fence = ${claim.fence}
           returning call_key`;
      if (held.length === 0) return;
      await sqlOf(manager)`
        update connector_notices
           set status = 'parked', code = ${code}, body = case when ${keepBodies} then body end
         where connector_id = ${claim.connectorId} and call_key = ${claim.callKey} and status = 'waiting'`;
    });
  }

  async list(
    tenantId: string,
    connectorId: string,
    { status }: { readonly status?: NoticeStatus | undefined },
    { limit, after }: PageAfter<NoticePlace>,
  ): Promise<readonly NoticeView[]> {
    return sqlViewsFor<NoticeView>(this.dataSource, tenantId)`
      select notice_key, call_key, event_type, status, code, received_at from connector_notices
       where tenant_id = ${tenantId} and connector_id = ${connectorId} and (${status ?? null}::text is null
         or status = ${status ?? null})
         and (${after?.receivedAt ?? null}::timestamptz is null
           or (received_at, notice_key) < (${after?.receivedAt ?? null}, ${after?.noticeKey ?? ''}))
       order by received_at desc, notice_key desc limit ${limit}`;
  }

  async retryParked(tenantId: string, connectorId: string): Promise<number> {
    const [row] = await sqlFor<{ retried: number }>(this.dataSource, tenantId)`
      with again as (
        update connector_notices set status = 'waiting', code = null
         where tenant_id = ${tenantId} and connector_id = ${connectorId} and status = 'parked'
           and call_key is not null and body is not null
        returning call_key
      ), due as (
        update connector_calls set due_at = now(), version = version + 1
         where connector_id = ${connectorId} and call_key in (select call_key from again)
      )
      select count(*)::int as retried from again`;
    return row?.retried ?? 0;
  }

  async forgetOld(days: number, limit: number): Promise<boolean> {
    const notices = await sqlOf(this.dataSource)`
      delete from connector_notices where ctid = any(array(
        select n.ctid from connector_notices n
          join connectors c using (connector_id) left join memories m on m.memory_id = c.memory_id
         where n.status in ('folded', 'ignored', 'parked')
           and n.received_at < now() - make_interval(days => least(${days}, m.event_expiry_duration)) limit ${limit}))
      returning 1`;
    const stamps = await sqlOf(this.dataSource)`
      delete from connector_stamps where ctid = any(array(
        select ctid from connector_stamps where seen_at < now() - make_interval(mins => ${STAMP_MINUTES})
          limit ${limit})) returning 1`;
    // Notices as old as the call are forgotten too, so repeats of them are not recognised with or without it. A notice
    // that arrives meanwhile makes the call due, and then it is kept.
    const calls = await sqlOf(this.dataSource)`
      delete from connector_calls where ctid = any(array(
        select c.ctid from connector_calls c
         where c.due_at is null and c.lease_until is null and c.updated_at < now() - make_interval(days => ${days})
           and not exists (select from connector_notices n
                  where n.connector_id = c.connector_id and n.call_key = c.call_key
                    and n.status in ('waiting', 'applied', 'parked'))
         order by c.updated_at limit ${limit}))
        and due_at is null and lease_until is null returning 1`;
    return [notices, stamps, calls].some((gone) => gone.length === limit);
  }
}

/** False if the signature was already used by a different message. */
const takeStamp = async (manager: EntityManager, notice: NewNotice, stamp: string): Promise<boolean> => {
  // The update is a no-op that makes the statement return the existing row.
  const [row] = await sqlOf<{ notice_key: string }>(manager)`
    insert into connector_stamps as s (connector_id, stamp, notice_key) values (${notice.connectorId}, ${stamp},
      ${notice.noticeKey})
    on conflict (connector_id, stamp) do update set notice_key = s.notice_key returning notice_key`;
  return row?.notice_key === notice.noticeKey;
};
