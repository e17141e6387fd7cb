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
} from '@turnkeeper/application';
import type { DataSource, EntityManager } from 'typeorm';
import { rowsFor, rowsOf } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';

/** How long used signatures are stored. They are accepted within 10 minutes before or after their timestamp. */
const STAMP_MINUTES = 60;

interface NoticeRow {
  readonly notice_key: string;
  readonly call_key: string | null;
  readonly event_type: string;
  readonly body: Buffer | null;
  readonly status: NoticeStatus;
  readonly code: string | null;
  readonly received_at: Date;
}

/** A fold holds all notices of its call in memory. */
const MAX_CALL_BYTES = 32 * 1_048_576;

export class PgNoticeStore implements NoticeStore {
  /** @param maxCallBytes maximum size of the pending notices of a call */
  constructor(
    private readonly dataSource: DataSource,
    private readonly maxCallBytes = MAX_CALL_BYTES,
  ) {}

  receive(notice: NewNotice): Promise<'stored' | 'duplicate' | 'stamp_used'> {
    return this.dataSource.transaction(async (manager) => {
      if (notice.stamp !== null && !(await takeStamp(manager, notice, notice.stamp))) return 'stamp_used';
      const stored = await rowsOf(
        manager,
        `insert into connector_notices
           (connector_id, notice_key, tenant_id, call_key, event_type, body, status, code)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning notice_key`,
        [
          ...[notice.connectorId, notice.noticeKey, notice.tenantId, notice.callKey, notice.eventType],
          ...[notice.body === null ? null : Buffer.from(notice.body), notice.status, notice.code],
        ],
      );
      if (stored.length === 0) return 'duplicate';
      if (notice.callKey !== null && notice.status === 'waiting') {
        await rowsOf(
          manager,
          `insert into connector_calls as c (connector_id, call_key, tenant_id, actor_id, session_id, due_at)
           values ($1, $2, $3, $4, $5, now())
           on conflict (connector_id, call_key)
           do update set due_at = now(), version = c.version + 1, updated_at = now(),
                         actor_id = coalesce(excluded.actor_id, c.actor_id),
                         session_id = coalesce(excluded.session_id, c.session_id)`,
          [
            ...[notice.connectorId, notice.callKey, notice.tenantId],
            ...[notice.place?.actorId ?? null, notice.place?.sessionId ?? null],
          ],
        );
      }
      return 'stored';
    });
  }

  async claimCall(leaseSeconds: number): Promise<CallClaim | null> {
    const [row] = await rowsOf<{
      connector_id: string;
      tenant_id: string;
      call_key: string;
      settled_round: string | null;
      failures: number;
      version: string;
      fence: string;
    }>(
      this.dataSource,
      `update connector_calls c
          set fence = c.fence + 1, failures = c.failures + (c.lease_until is not null)::int,
              lease_until = now() + make_interval(secs => $1)
         from (select connector_id, call_key from connector_calls
                where due_at <= now() and (lease_until is null or lease_until < now())
                order by due_at limit 1 for update skip locked) as due
        where c.connector_id = due.connector_id and c.call_key = due.call_key
       returning c.*`,
      [leaseSeconds],
    );
    if (row === undefined) return null;
    return {
      connectorId: row.connector_id,
      tenantId: row.tenant_id,
      callKey: row.call_key,
      settledRound: row.settled_round === null ? null : Number(row.settled_round),
      failures: row.failures,
      version: Number(row.version),
      fence: Number(row.fence),
    };
  }

  async renewCalls(claims: readonly CallClaim[], leaseSeconds: number): Promise<readonly CallClaim[]> {
    const rows = await rowsOf<{ n: number }>(
      this.dataSource,
      // As in the renewals of extractions and deliveries: a locked row counts as held, and its lease is not renewed.
      `with held as materialized (
         select claimed.n, connector_id, call_key, fence
           from unnest($1::uuid[], $2::text[], $3::bigint[])
             with ordinality as claimed(connector_id, call_key, fence, n)
           join connector_calls c using (connector_id, call_key, fence)
          where c.lease_until is not null
       ), free as materialized (
         select connector_id, call_key from connector_calls c join held using (connector_id, call_key, fence)
          where c.lease_until is not null
            for update of c skip locked
       ), renewed as (
         update connector_calls c set lease_until = now() + make_interval(secs => $4)
           from free where c.connector_id = free.connector_id and c.call_key = free.call_key
       )
       select n::int as n from held`,
      [
        claims.map(({ connectorId }) => connectorId),
        claims.map(({ callKey }) => callKey),
        claims.map(({ fence }) => fence),
        leaseSeconds,
      ],
    );
    return rows.flatMap(({ n }) => claims[n - 1] ?? []);
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
    const rows = await rowsOf<NoticeRow & { readonly status: CallNotice['status'] }>(
      managerOf(tx),
      `select * ${pending} order by arrival`,
      [connectorId, callKey],
    );
    return rows.map((row) => ({
      noticeKey: row.notice_key,
      eventType: row.event_type,
      body: row.body,
      receivedAt: row.received_at,
      status: row.status,
    }));
  }

  async mark(
    tx: Transaction,
    { connectorId }: CallClaim,
    noticeKeys: readonly string[],
    status: NoticeStatus,
    code: string | null = null,
  ): Promise<void> {
    if (noticeKeys.length === 0) return;
    await rowsOf(
      managerOf(tx),
      `update connector_notices
          set status = $3, code = $4, body = case when $3 in ('folded', 'ignored') then null else body end
        where connector_id = $1 and notice_key = any($2)`,
      [connectorId, noticeKeys, status, code],
    );
  }

  async finishCall(
    tx: Transaction,
    claim: CallClaim,
    { at, settledRound, place }: Parameters<NoticeStore['finishCall']>[2],
  ): Promise<void> {
    const held = await rowsOf(
      managerOf(tx),
      `update connector_calls
          set due_at = case when version = $4 then $5 else due_at end, settled_round = $6, failures = 0,
              actor_id = coalesce($7, actor_id), session_id = coalesce($8, session_id),
              lease_until = null, updated_at = now()
        where connector_id = $1 and call_key = $2 and fence = $3 returning call_key`,
      [
        ...[claim.connectorId, claim.callKey, claim.fence, claim.version, at, settledRound],
        ...[place?.actorId ?? null, place?.sessionId ?? null],
      ],
    );
    if (held.length === 0) throw new CallLost();
  }

  async retryCall(claim: CallClaim, inMs: number): Promise<void> {
    await rowsOf(
      this.dataSource,
      `update connector_calls
          set due_at = now() + make_interval(secs => $4::float8 / 1000), failures = failures + 1, lease_until = null,
              updated_at = now()
        where connector_id = $1 and call_key = $2 and fence = $3`,
      [claim.connectorId, claim.callKey, claim.fence, inMs],
    );
  }

  async parkCall(claim: CallClaim, code: string, { keepBodies }: { readonly keepBodies: boolean }): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const held = await rowsOf(
        manager,
        `update connector_calls
            set due_at = case when version = $4 then null else due_at end, failures = 0, lease_until = null,
                updated_at = now()
          where connector_id = $1 and call_key = $2 and fence = $3 returning call_key`,
        [claim.connectorId, claim.callKey, claim.fence, claim.version],
      );
      if (held.length === 0) return;
      await rowsOf(
        manager,
        `update connector_notices
            set status = 'parked', code = $3, body = case when $4 then body end
          where connector_id = $1 and call_key = $2 and status = 'waiting'`,
        [claim.connectorId, claim.callKey, code, keepBodies],
      );
    });
  }

  async list(
    tenantId: string,
    connectorId: string,
    { status }: { readonly status?: NoticeStatus | undefined },
    { limit, after }: { readonly limit: number; readonly after?: NoticePlace | undefined },
  ): Promise<readonly NoticeView[]> {
    const rows = await rowsFor<NoticeRow>(
      this.dataSource,
      tenantId,
      `select notice_key, call_key, event_type, status, code, received_at from connector_notices
        where tenant_id = $1 and connector_id = $2 and ($3::text is null or status = $3)
          and ($4::timestamptz is null or (received_at, notice_key) < ($4, $5))
        order by received_at desc, notice_key desc limit $6`,
      [tenantId, connectorId, status ?? null, after?.receivedAt ?? null, after?.noticeKey ?? '', limit],
    );
    return rows.map((row) => ({
      noticeKey: row.notice_key,
      callKey: row.call_key,
      eventType: row.event_type,
      status: row.status,
      code: row.code,
      receivedAt: row.received_at.toISOString(),
    }));
  }

  async retryParked(tenantId: string, connectorId: string): Promise<number> {
    const [row] = await rowsFor<{ retried: number }>(
      this.dataSource,
      tenantId,
      `with again as (
         update connector_notices set status = 'waiting', code = null
          where tenant_id = $1 and connector_id = $2 and status = 'parked' and call_key is not null and body is not null
         returning call_key
       ), due as (
         update connector_calls set due_at = now(), version = version + 1
          where connector_id = $2 and call_key in (select call_key from again)
       )
       select count(*)::int as retried from again`,
      [tenantId, connectorId],
    );
    return row?.retried ?? 0;
  }

  async forgetOld(days: number, limit: number): Promise<boolean> {
    const notices = await rowsOf(
      this.dataSource,
      `delete from connector_notices where ctid = any(array(
         select n.ctid from connector_notices n
           join connectors c using (connector_id) left join memories m on m.memory_id = c.memory_id
          where n.status in ('folded', 'ignored', 'parked')
            and n.received_at < now() - make_interval(days => least($1, m.event_expiry_duration)) limit $2))
       returning 1`,
      [days, limit],
    );
    const stamps = await rowsOf(
      this.dataSource,
      `delete from connector_stamps where ctid = any(array(
         select ctid from connector_stamps where seen_at < now() - make_interval(mins => $1) limit $2)) returning 1`,
      [STAMP_MINUTES, limit],
    );
    // Notices as old as the call are forgotten too, so repeats of them are not recognised with or without it. A notice
    // that arrives meanwhile makes the call due, and then it is kept.
    const calls = await rowsOf(
      this.dataSource,
      `delete from connector_calls where ctid = any(array(
         select c.ctid from connector_calls c
          where c.due_at is null and c.lease_until is null and c.updated_at < now() - make_interval(days => $1)
            and not exists (select from connector_notices n
                   where n.connector_id = c.connector_id and n.call_key = c.call_key
                     and n.status in ('waiting', 'applied', 'parked'))
          order by c.updated_at limit $2))
         and due_at is null and lease_until is null returning 1`,
      [days, limit],
    );
    return [notices, stamps, calls].some((gone) => gone.length === limit);
  }
}

/** False if the signature was already used by a different message. */
const takeStamp = async (manager: EntityManager, notice: NewNotice, stamp: string): Promise<boolean> => {
  const [row] = await rowsOf<{ notice_key: string }>(
    manager,
    // The update is a no-op that makes the statement return the existing row.
    `insert into connector_stamps as s (connector_id, stamp, notice_key) values ($1, $2, $3)
     on conflict (connector_id, stamp) do update set notice_key = s.notice_key returning notice_key`,
    [notice.connectorId, stamp, notice.noticeKey],
  );
  return row?.notice_key === notice.noticeKey;
};
