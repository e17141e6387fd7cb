import {
  type Admission,
  type DeliveryClaim,
  type DeliveryContent,
  type DeliveryFilter,
  type DeliveryLimits,
  type DeliveryPlace,
  type DeliveryStore,
  type DeliveryView,
  type LostDelivery,
  type NewDelivery,
  type Transaction,
  type WebhookEndpoint,
  type PageAfter,
} from '@turnkeeper/application';
import type { AttemptOutcome, AttemptVerdict, ParkReason } from '@turnkeeper/domain';
import type { DataSource, EntityManager } from 'typeorm';
import { columnsOf } from '../../connections/columns.js';
import { viewsOf, rowsFor, rowsOf } from '../../connections/database.js';
import { plainTextOnly } from '../../secrets/envelope-cipher.js';
import { openAll, placeOf } from '../../secrets/places.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { ADMISSION_LOCK, ADMIT_DELIVERIES } from './admit-deliveries.sql.js';
import { finishAttempt } from './finish-attempt.js';
import { deliveryOf, deliveryViewOf, type AttemptRow, type DeliveryRow } from './delivery-row.js';
import { SecretUnreadable, type SecretCipher } from '../../secrets/secret-cipher.js';
import { viewOf } from '../../connections/view.js';
import { DELIVERIES_LOCK } from './deliveries-lock.js';
import { renewLeases, type LeasedTable } from '../renew-leases.js';
import { sqlFor, sqlOf } from '../../connections/sql.js';

/** A delivery not claimed within this time after queueing is queued again: the queue may have been wiped. */
const QUEUED_SECONDS = 5;

/** How long the deliveries after a failing one wait for it: what an agent is asked to say is of no use much later. */
const IN_ORDER_SECONDS = 60;

/** Lost claims settled per statement. */
const SETTLED_AT_ONCE = 500;

/** The endpoint of a claimed delivery, as JSON of its row. */
interface EndpointColumns {
  readonly endpoint: Pick<WebhookEndpoint, 'secrets'> & {
    readonly endpoint_id: string;
    readonly created_at: string;
    readonly timeouts: number;
  };
}

const claimedEndpoint = ({ endpoint }: EndpointColumns, secrets: WebhookEndpoint['secrets']): WebhookEndpoint => {
  const { created_at: createdAt, timeouts: _, ...row } = endpoint;
  return { ...viewOf<WebhookEndpoint>(row), secrets, createdAt: new Date(createdAt).toISOString() };
};

/** Filter condition on an endpoint's deliveries. `$1` and `$2` are tenant and endpoint. */
const whereOf = (tenantId: string, endpointId: string, filter: DeliveryFilter) => {
  const values: unknown[] = [tenantId, endpointId];
  const parts = ['d.tenant_id = $1', 'd.endpoint_id = $2'];
  const add = (text: string, value: unknown): void => {
    if (value !== undefined) parts.push(text.replace('?', `$${values.push(value)}`));
  };
  add('d.delivery_id = ?', filter.deliveryId);
  add('d.status = ?', filter.status);
  add('d.event_type = ?', filter.eventType);
  add('d.created_at >= ?', filter.since);
  add('d.created_at < ?', filter.until);
  return { text: parts.join(' and '), values };
};

const DELIVERIES: LeasedTable<DeliveryClaim> = {
  table: 'webhook_deliveries',
  key: [['delivery_id', 'uuid', ({ deliveryId }) => deliveryId]],
  until: ['lease_until', 'admitted_until'],
};

const NEW_COLUMNS = columnsOf<NewDelivery>([
  ['delivery_id', 'uuid', ({ deliveryId }) => deliveryId],
  ['tenant_id', 'uuid', ({ tenantId }) => tenantId],
  ['endpoint_id', 'uuid', ({ endpointId }) => endpointId],
  ['event_type', 'text', ({ eventType }) => eventType],
  ['cause_event_id', 'uuid', ({ causeEventId }) => causeEventId],
  ['agent_id', 'uuid', ({ agentId }) => agentId],
  ['message_id', 'text', ({ messageId }) => messageId],
  ['body', 'bytea', ({ body }) => (body === null ? null : Buffer.from(body))],
  ['agent_place', 'bigint', ({ place }) => place],
  ['session_key', 'bigint', ({ sessionKey }) => sessionKey],
]);

export class PgDeliveryStore implements DeliveryStore {
  /** @param cipher decrypts the secrets of claimed deliveries; not needed by callers that never claim */
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: SecretCipher = plainTextOnly,
  ) {}

  async insert(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    // Held until the commit. An erasure closes its sessions, waits for this lock and deletes what was added meanwhile.
    await rowsOf(managerOf(tx), `select pg_advisory_xact_lock_shared(${DELIVERIES_LOCK})`);
    await rowsOf(
      managerOf(tx),
      `insert into webhook_deliveries
         (delivery_id, tenant_id, endpoint_id, event_type, cause_event_id, agent_id, message_id, body, agent_place,
          due_at)
       select t.delivery_id, t.tenant_id, t.endpoint_id, t.event_type, t.cause_event_id, t.agent_id, t.message_id, t.body,
              t.agent_place, now()
         from ${NEW_COLUMNS.t}
        where t.session_key is null or exists (
          select from sessions s join memory_gates g using (memory_id) where s.session_key = t.session_key and g.is_open)
       on conflict do nothing`,
      NEW_COLUMNS.valuesOf(deliveries),
    );
  }

  async admit(limits: DeliveryLimits): Promise<readonly Admission[]> {
    const { perEndpoint, perTimedOut, timedOutTotal, atOnce } = limits;
    return this.dataSource.transaction(async (manager) => {
      // A separate statement, so that the next one sees the changes it waited for.
      await rowsOf(manager, ADMISSION_LOCK);
      return viewsOf<Admission>(manager, ADMIT_DELIVERIES, [
        perEndpoint,
        perTimedOut,
        timedOutTotal,
        atOnce,
        QUEUED_SECONDS,
        IN_ORDER_SECONDS,
      ]);
    });
  }

  async claim(deliveryId: string, leaseSeconds: number): Promise<DeliveryClaim | null> {
    const [row] = await sqlOf<DeliveryRow & EndpointColumns & { claimed_at: Date }>(this.dataSource)`
      update webhook_deliveries d
         set fence = d.fence + 1, lease_until = now() + make_interval(secs => ${leaseSeconds}),
             admitted_until = now() + make_interval(secs => ${leaseSeconds})
        from webhook_endpoints e
       where d.delivery_id = ${deliveryId} and d.status = 'pending' and d.due_at <= now()
         and d.lease_until is null
         and e.endpoint_id = d.endpoint_id and e.status = 'active'
      returning d.*, row_to_json(e) as endpoint, clock_timestamp() as claimed_at`;
    if (row === undefined) return null;
    const { secrets, secretsProblem } = await this.openSecrets(row);
    return {
      deliveryId: row.delivery_id,
      tenantId: row.tenant_id,
      endpointId: row.endpoint_id,
      eventType: row.event_type,
      causeEventId: row.cause_event_id,
      agentId: row.agent_id,
      messageId: row.message_id,
      place: row.agent_place === null ? null : Number(row.agent_place),
      endpoint: claimedEndpoint(row, secrets),
      secretsProblem,
      delivery: deliveryOf(row),
      body: row.body,
      fence: Number(row.fence),
      claimedAt: row.claimed_at,
    };
  }

  private async openSecrets({ endpoint }: EndpointColumns) {
    const place = placeOf.endpoint(endpoint.endpoint_id);
    try {
      return { secrets: await openAll(this.cipher, place, endpoint.secrets), secretsProblem: null };
    } catch (error) {
      if (error instanceof SecretUnreadable) return { secrets: [], secretsProblem: error.message };
      throw error;
    }
  }

  renew(claims: readonly DeliveryClaim[], leaseSeconds: number): Promise<readonly DeliveryClaim[]> {
    return renewLeases(this.dataSource, DELIVERIES, claims, leaseSeconds);
  }

  settleLost(maxLost: number): Promise<readonly LostDelivery[]> {
    return sqlOf<LostDelivery>(this.dataSource)`
      with lost as (
        select ctid as place, status = 'pending' as is_pending, lost_leases + 1 as times from webhook_deliveries
         where lease_until < now() order by lease_until limit ${SETTLED_AT_ONCE} for update skip locked
      ), settled as (
        update webhook_deliveries
           set lease_until = null, admitted_until = null,
               lost_leases = case when is_pending then times else lost_leases end,
               status = case when is_pending and times >= ${maxLost} then 'parked' else status end,
               park_reason = case when is_pending and times >= ${maxLost} then 'worker_lost' else park_reason end,
               due_at = case
                 when not is_pending then due_at
                 when times < ${maxLost} then now() + make_interval(secs => least(power(2, times - 1) - 1,
                   300) * random())
               end
          from lost where ctid = place
        returning delivery_id, endpoint_id, tenant_id, lost_leases, status, is_pending
      )
      select delivery_id as "deliveryId", endpoint_id as "endpointId", tenant_id as "tenantId", lost_leases as lost,
             status = 'parked' as parked
        from settled where is_pending`;
  }

  freezeBody(
    { deliveryId, fence, tenantId, agentId }: DeliveryClaim,
    body: Uint8Array,
    messageIds: readonly string[],
  ): Promise<Uint8Array | null> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await areThere(manager, { tenantId, agentId }, messageIds))) {
        await rowsOf(
          manager,
          `update webhook_deliveries set fence = fence + 1, lease_until = null, admitted_until = null
            where delivery_id = $1 and fence = $2`,
          [deliveryId, fence],
        );
        return null;
      }
      const [row] = await rowsOf<{ body: Buffer }>(
        manager,
        `update webhook_deliveries set body = coalesce(body, $3) where delivery_id = $1 and fence = $2 returning body`,
        [deliveryId, fence, Buffer.from(body)],
      );
      return row?.body ?? null;
    });
  }

  finish(claim: DeliveryClaim, outcome: AttemptOutcome, verdict: AttemptVerdict): Promise<void> {
    return finishAttempt(this.dataSource, claim, outcome, verdict);
  }

  async park({ deliveryId, fence }: DeliveryClaim, reason: ParkReason): Promise<void> {
    await sqlOf(this.dataSource)`
      update webhook_deliveries
         set status = 'parked', park_reason = ${reason}, due_at = null, lease_until = null, admitted_until = null
       where delivery_id = ${deliveryId} and fence = ${fence}`;
  }

  async list(
    tenantId: string,
    endpointId: string,
    filter: DeliveryFilter,
    { limit, after }: PageAfter<DeliveryPlace>,
  ): Promise<readonly DeliveryView[]> {
    const { text, values } = whereOf(tenantId, endpointId, filter);
    const behind =
      after === undefined
        ? ''
        : `and (d.created_at, d.delivery_id) < ($${values.push(after.createdAt)}, $${values.push(after.deliveryId)})`;
    const rows = await rowsFor<DeliveryRow>(
      this.dataSource,
      tenantId,
      `select d.delivery_id, d.tenant_id, d.endpoint_id, d.event_type, d.cause_event_id, d.agent_id, d.message_id,
              d.status, d.attempts, d.round, d.due_at, d.last_reason, d.park_reason, d.fence,
              d.created_at, d.purged_at
         from webhook_deliveries d where ${text} ${behind}
        order by d.created_at desc, d.delivery_id desc limit $${values.push(limit)}`,
      values,
    );
    const attempts = await sqlFor<AttemptRow>(this.dataSource, tenantId)`
      select * from webhook_attempts where delivery_id = any(${rows.map((row) => row.delivery_id)}) order by attempt`;
    return rows.map((row) => deliveryViewOf(row, attempts));
  }

  async content(
    tenantId: string,
    endpointId: string,
    deliveryId: string,
    maxBytes: number,
  ): Promise<DeliveryContent | null> {
    const [view] = await this.list(tenantId, endpointId, { deliveryId }, { limit: 1 });
    if (view === undefined) return null;
    const [row] = await sqlFor<{ body: Buffer | null; bytes: number | null }>(this.dataSource, tenantId)`
      select substring(body from 1 for ${maxBytes}) as body, octet_length(body) as bytes from webhook_deliveries
       where tenant_id = ${tenantId} and delivery_id = ${deliveryId}`;
    return { ...view, body: row?.body ?? null, bodyBytes: row?.bytes ?? null };
  }

  async replay(
    tenantId: string,
    endpointId: string,
    filter: DeliveryFilter,
    { includeDelivered }: { includeDelivered: boolean },
  ): Promise<number> {
    const { text, values } = whereOf(tenantId, endpointId, filter);
    // Same rule as `replayDelivery`, for many deliveries.
    const rows = await rowsFor(
      this.dataSource,
      tenantId,
      `update webhook_deliveries d
          set status = 'pending', attempts = 0, round = d.round + 1, due_at = now(), last_reason = null,
              park_reason = null, lost_leases = 0
        where ${text} and d.purged_at is null and (d.status = 'parked' or (d.status = 'delivered' and $${values.push(includeDelivered)}))
          -- Pending deliveries of a disabled endpoint are never tried, and are not listed as parked.
          and exists (select from webhook_endpoints e where e.endpoint_id = d.endpoint_id and e.status <> 'disabled')
       returning d.delivery_id`,
      values,
    );
    return rows.length;
  }

  async sendNow(tenantId: string, endpointId: string, filter: DeliveryFilter): Promise<number> {
    const { text, values } = whereOf(tenantId, endpointId, filter);
    const rows = await rowsFor(
      this.dataSource,
      tenantId,
      `update webhook_deliveries d set due_at = now()
        where ${text} and d.status = 'pending' and d.due_at > now() returning d.delivery_id`,
      values,
    );
    return rows.length;
  }

  async purgeBodies(days: number, limit: number): Promise<boolean> {
    const old = await this.purge(
      `select d.delivery_id from webhook_deliveries d
        where d.status <> 'pending' and d.purged_at is null and d.created_at < now() - make_interval(days => $2)
        limit $1`,
      days,
      limit,
    );
    // Few memories have a shorter retention than this; each is queried separately.
    const shorter = await this.purge(
      `select due.delivery_id from memories m cross join lateral (
         select d.delivery_id from webhook_deliveries d
          where d.memory_id = m.memory_id and d.status <> 'pending' and d.purged_at is null
            and d.created_at < now() - make_interval(days => m.event_expiry_duration)
          order by d.created_at limit $1) due
        where m.event_expiry_duration < $2 limit $1`,
      days,
      limit,
    );
    return old || shorter;
  }

  async forgetFinal(days: number, limit: number): Promise<boolean> {
    // The bodies were purged first, so none of these can be sent again.
    const rows = await sqlOf(this.dataSource)`
      delete from webhook_deliveries where ctid = any(array(
        select d.ctid from webhook_deliveries d
         where d.purged_at is not null and d.event_type <> 'agent.history' and d.status <> 'pending'
           and d.created_at < now() - make_interval(days => ${days})
         order by d.created_at limit ${limit} for update skip locked))
      returning 1`;
    return rows.length === limit;
  }

  /** @param due selects the deliveries: $1 limit, $2 days */
  private async purge(due: string, days: number, limit: number): Promise<boolean> {
    const rows = await rowsOf(
      this.dataSource,
      // A trigger deletes the responses with the body.
      `update webhook_deliveries set body = null, purged_at = now()
        where delivery_id = any(array(${due})) and status <> 'pending' and purged_at is null
       returning 1`,
      [limit, days],
    );
    return rows.length === limit;
  }
}

/** Whether the agent's session has these messages. Waits for an erasure that holds the session, and holds it until the commit. */
const areThere = async (
  manager: EntityManager,
  { tenantId, agentId }: Pick<DeliveryClaim, 'tenantId' | 'agentId'>,
  messageIds: readonly string[],
): Promise<boolean> => {
  const [session] = await rowsOf<{ key: string }>(
    manager,
    `select s.session_key as key from agents a join sessions s using (tenant_id, memory_id, actor_id, session_id)
      where a.agent_id = $1 for key share of s`,
    [agentId],
  );
  if (session === undefined || messageIds.length === 0) return session !== undefined;
  // A statement of its own, which sees what the erasure has committed.
  const [left] = await rowsOf<{ count: number }>(
    manager,
    `select count(*)::int as count from events where tenant_id = $1 and event_id = any($2::uuid[]) and session_key = $3`,
    [tenantId, [...messageIds], session.key],
  );
  return left?.count === messageIds.length;
};
