import type { DeliveryClaim } from '@turnkeeper/application';
import type { AttemptOutcome, AttemptVerdict } from '@turnkeeper/domain';
import type { DataSource, EntityManager } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { sqlOf } from '../../connections/sql.js';

/** Stores an attempt and its verdict; a no-op if the claim is no longer held. */
export const finishAttempt = async (
  dataSource: DataSource,
  claim: DeliveryClaim,
  outcome: AttemptOutcome,
  verdict: AttemptVerdict,
): Promise<void> => {
  const { delivery, disableEndpoint } = verdict;
  // The common case: one statement, one commit.
  if (!disableEndpoint && delivery.status !== 'pending') {
    await writeAttempt(dataSource.manager, claim, outcome, verdict);
    return;
  }
  await dataSource.transaction(async (manager) => {
    if (!(await writeAttempt(manager, claim, outcome, verdict))) return;
    if (disableEndpoint) await disable(manager, claim.endpointId);
    else await parkIfDisabled(manager, claim);
  });
};

/** Writes the outcome of an attempt if the claim is still held. Returns false if it is not. */
const writeAttempt = async (
  manager: EntityManager,
  claim: DeliveryClaim,
  outcome: AttemptOutcome,
  { delivery, counted, reason }: AttemptVerdict,
): Promise<boolean> => {
  const held = await sqlOf(manager)`
    with held as (
      update webhook_deliveries
         set status = ${delivery.status}, attempts = ${delivery.attempts}, due_at = ${delivery.dueAt},
           last_reason = ${delivery.lastReason}, park_reason = ${delivery.parkReason},
             lease_until = null, admitted_until = null, lost_leases = 0
       where delivery_id = ${claim.deliveryId} and fence = ${claim.fence} returning delivery_id, endpoint_id
    ), noted as (
      insert into webhook_attempts (delivery_id, attempt, reason, status, duration_ms, detail)
      select held.delivery_id, coalesce(max(a.attempt), 0) + 1, ${reason},
        ${outcome.kind === 'response' ? outcome.status : null}, ${Math.round(outcome.durationMs)},
        ${outcome.kind === 'failed' ? outcome.message : (outcome.bodyExcerpt ?? null)}
        from held left join webhook_attempts a using (delivery_id)
       where ${counted} group by held.delivery_id
    ), judged as (
      update webhook_endpoints e set timeouts = case when ${reason} = 'timeout' then e.timeouts + 1 else 0 end
        from held
       where e.endpoint_id = held.endpoint_id and ${counted} and (${reason} = 'timeout' or e.timeouts > 0)
    )
    select delivery_id from held`;
  return held.length > 0;
};

/** Disables an endpoint that rejects further deliveries (410). Deliveries in flight are parked when they finish. */
const disable = async (manager: EntityManager, endpointId: string): Promise<void> => {
  await rowsOf(manager, `update webhook_endpoints set status = 'disabled' where endpoint_id = $1`, [endpointId]);
  await sqlOf(manager)`
    update webhook_deliveries
       set status = 'parked', park_reason = 'endpoint_gone', due_at = null, admitted_until = null
     where endpoint_id = ${endpointId} and status = 'pending' and (lease_until is null or lease_until < now())`;
};

const parkIfDisabled = async (manager: EntityManager, { endpointId, deliveryId }: DeliveryClaim): Promise<void> => {
  // Locks the row, so that a concurrent disable either sees this delivery or is seen here.
  const [endpoint] = await sqlOf<{ status: string }>(manager)`
    select status from webhook_endpoints where endpoint_id = ${endpointId} for share`;
  if (endpoint?.status !== 'disabled') return;
  await sqlOf(manager)`
    update webhook_deliveries set status = 'parked', park_reason = 'endpoint_gone', due_at = null
     where delivery_id = ${deliveryId}`;
};
