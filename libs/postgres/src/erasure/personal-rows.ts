import type { MemoryScope, ErasedRows, ErasureScope, PersonalRows, Transaction } from '@turnkeeper/application';
import type { DataSource, EntityManager } from 'typeorm';
import { rowsOf } from '../connections/database.js';
import { eraseFirstAnswers } from '../access/idempotent-requests.js';
import { managerOf } from '../connections/unit-of-work.js';
import { sqlFor, sqlOf } from '../connections/sql.js';

/**
 * Tables whose rows belong to one session of one actor, with the columns memory_id, actor_id and session_id. Records
 * have separate rules. A test compares this list with the database.
 */
export const SESSION_TABLES = [
  'parked_windows',
  'extraction_states',
  'agents',
  'rolling_sessions',
  'graph_threads',
] as const;

/** Tables whose rows are deleted with their memory, ordered by their references. */
const MEMORY_TABLES = [
  'record_deletions',
  'graph_threads',
  'graph_items',
  'rolling_sessions',
  'parked_windows',
  'extraction_states',
  'records',
  'strategies',
] as const;

/** Maximum number of namespaces in a receipt. */
const MAX_NAMESPACES = 100;

const OF_SCOPE = `tenant_id = $1 and memory_id = $2 and actor_id = $3 and ($4::text is null or session_name(session_id) = $4)`;

/** Items of graphs in namespaces with the actor's id as a label; not for a single session. */
const ITEMS_OF_ACTOR = `from graph_items
  where tenant_id = $1 and memory_id = $2 and $3 = any (namespace) and $4::text is null`;

const IN_CONNECTORS_OF_SCOPE = `c.tenant_id = $1 and c.memory_id = $2 and i.actor_id = $3
  and ($4::text is null or i.session_id = $4)`;
/** Calls that were mapped manually. */
const MAPPED_OF_SCOPE = `select i.connector_id, i.instance_id as call_key
  from connector_instances i join connectors c using (connector_id) where ${IN_CONNECTORS_OF_SCOPE}`;
/** Mapped calls, and calls whose notices identify their actor. */
const CALLS_OF_SCOPE = `${MAPPED_OF_SCOPE}
  union select k.connector_id, k.call_key from connector_calls k join connectors c using (connector_id)
  where k.tenant_id = $1 and c.memory_id = $2 and k.actor_id = $3 and ($4::text is null or k.session_id = $4)`;

export class PgPersonalRows implements PersonalRows {
  constructor(private readonly dataSource: DataSource) {}

  async eraseCalls(
    tx: Transaction,
    { tenantId, memoryId, actorId, sessionId }: ErasureScope,
  ): Promise<{ found: boolean; callbacks: number }> {
    const manager = managerOf(tx);
    const values = [tenantId, memoryId, actorId, sessionId];
    const notices = await rowsOf(
      manager,
      `update connector_notices n set body = null, status = 'ignored', code = null
         from (${CALLS_OF_SCOPE}) as call
        where n.connector_id = call.connector_id and n.call_key = call.call_key and n.body is not null
       returning 1`,
      values,
    );
    // A fold in progress loses its call, and its whole transaction rolls back.
    const calls = await rowsOf(
      manager,
      `delete from connector_calls k using (${CALLS_OF_SCOPE}) as call
        where k.connector_id = call.connector_id and k.call_key = call.call_key returning 1`,
      values,
    );
    const instances = await rowsOf(
      manager,
      `delete from connector_instances i using (${MAPPED_OF_SCOPE}) as call
        where i.connector_id = call.connector_id and i.instance_id = call.call_key returning 1`,
      values,
    );
    const replaced = await rowsOf(
      manager,
      `delete from replaced_instances i using connectors c
        where c.connector_id = i.connector_id and ${IN_CONNECTORS_OF_SCOPE} returning 1`,
      values,
    );
    const named = sessionId === null ? await this.erasePoison(manager, { tenantId, memoryId, actorId }) : 0;
    const callbacks = notices.length + named;
    return { found: callbacks + calls.length + instances.length + replaced.length > 0, callbacks };
  }

  /** Erases parked callbacks of a call with an unknown actor if they name the actor. */
  private async erasePoison(
    manager: EntityManager,
    { tenantId, memoryId, actorId }: { tenantId: string; memoryId: string; actorId: string },
  ): Promise<number> {
    const rows = await sqlOf(manager)`
      update connector_notices n set body = null, status = 'ignored', code = null
         from connectors c
        where c.connector_id = n.connector_id and c.tenant_id = ${tenantId} and c.memory_id = ${memoryId}
          and n.status = 'parked'
          and n.body is not null and position(convert_to(${JSON.stringify(actorId)}, 'UTF8') in n.body) > 0
       returning 1`;
    return rows.length;
  }

  async hasGraphs(tx: Transaction, scope: ErasureScope): Promise<boolean> {
    const { tenantId, memoryId, actorId, sessionId } = scope;
    const found = await rowsOf(managerOf(tx), `select from graph_threads where ${OF_SCOPE} limit 1`, [
      ...[tenantId, memoryId, actorId, sessionId],
    ]);
    if (found.length > 0) return true;
    const items = await rowsOf(managerOf(tx), `select ${ITEMS_OF_ACTOR} limit 1`, [
      tenantId,
      memoryId,
      actorId,
      sessionId,
    ]);
    return items.length > 0;
  }

  async eraseSessions(tx: Transaction, scope: ErasureScope, sessionKeys: readonly number[]): Promise<ErasedRows> {
    const manager = managerOf(tx);
    const { tenantId, memoryId, actorId, sessionId } = scope;
    const values = [tenantId, memoryId, actorId, sessionId];
    const agents = await rowsOf<{ id: string }>(manager, `select agent_id as id from agents where ${OF_SCOPE}`, values);
    const agentIds = agents.map(({ id }) => id);
    const receivers = await sqlOf<{ id: string }>(manager)`
      select distinct d.endpoint_id as id from webhook_deliveries d
        where d.tenant_id = ${tenantId} and d.agent_id = any(${agentIds}) and d.event_type = 'agent.history'
          and exists (select from webhook_attempts a where a.delivery_id = d.delivery_id) order by 1`;
    // The webhook body contains the agent's messages, sent or not, so delete the whole delivery.
    const ofAgents = await rowsOf(
      manager,
      `delete from webhook_deliveries where agent_id in (select agent_id from agents where ${OF_SCOPE}) returning 1`,
      values,
    );
    // A delivery about an extraction contains the namespaces of its records, and so the actor.
    const ofExtractions = await sqlOf(manager)`
      delete from webhook_deliveries where tenant_id = ${tenantId} and cause_event_id in (
         select e.event_id from events e where e.session_key = any(${[...sessionKeys]}) and e.sequence is null)
           returning 1`;
    const deleted: Partial<Record<(typeof SESSION_TABLES)[number], number>> = {};
    for (const table of SESSION_TABLES) {
      deleted[table] = (await rowsOf(manager, `delete from ${table} where ${OF_SCOPE} returning 1`, values)).length;
    }
    const items = await rowsOf(manager, `delete ${ITEMS_OF_ACTOR} returning 1`, values);
    // Last: while a statement above waits for a row in use, other requests of the memory can store their answers.
    await eraseFirstAnswers(manager, tenantId, memoryId);
    return {
      agentIds,
      receivers: receivers.map(({ id }) => id),
      webhookDeliveries: ofAgents.length + ofExtractions.length,
      extractionStates: deleted.extraction_states ?? 0,
      rollingMemories: deleted.rolling_sessions ?? 0,
      graphThreads: deleted.graph_threads ?? 0,
      graphItems: items.length,
    };
  }

  async recordsNamedAfter({ tenantId, memoryId, actorId, sessionId }: ErasureScope) {
    if (sessionId !== null) return { records: 0, namespaces: [] };
    const rows = await sqlFor<{ namespace: string; records: number }>(this.dataSource, tenantId)`
      select namespace, count(*)::float8 as records from records
        where tenant_id = ${tenantId} and memory_id = ${memoryId}
          and strpos('/' || namespace || '/',
            '/' || ${actorId.replaceAll('%', '%25').replaceAll('/', '%2F')} || '/') > 0
        group by namespace order by namespace`;
    return {
      records: rows.reduce((sum, { records }) => sum + records, 0),
      namespaces: rows.slice(0, MAX_NAMESPACES).map(({ namespace }) => namespace),
    };
  }

  async eraseAgents(tx: Transaction, { tenantId, memoryId }: MemoryScope): Promise<void> {
    const manager = managerOf(tx);
    await eraseFirstAnswers(manager, tenantId, memoryId);
    await sqlOf(manager)`
      delete from webhook_deliveries where agent_id in (
         select agent_id from agents where tenant_id = ${tenantId} and memory_id = ${memoryId})`;
    await rowsOf(manager, `delete from agents where tenant_id = $1 and memory_id = $2`, [tenantId, memoryId]);
  }

  async forgetCopies(tx: Transaction, tenantId: string, sessionKey: number): Promise<void> {
    const manager = managerOf(tx);
    const sessions = await sqlOf<{ memory_id: string }>(manager)`
      select memory_id from sessions where session_key = ${sessionKey} and tenant_id = ${tenantId}`;
    for (const { memory_id: memoryId } of sessions) await eraseFirstAnswers(manager, tenantId, memoryId);
    // An attempt that read the session earlier may neither keep its answer nor commit. It is restarted.
    await sqlOf(manager)`
      update extraction_states
          set fence = fence + 1, answer_unread = false, lease_until = null, admitted_until = null,
              attempts = greatest(attempts - case when lease_until is null then 0 else 1 end, 0)
        where session_key = ${sessionKey} and tenant_id = ${tenantId}`;
    await sqlOf(manager)`
      update parked_windows set answer_unread = false where session_key = ${sessionKey} and tenant_id = ${tenantId}`;
    // An attempt that already holds the old bytes may still send them; its fence prevents it from freezing them again.
    // A trigger deletes the responses with the body.
    await sqlOf(manager)`
      update webhook_deliveries d set body = null, fence = d.fence + 1, lease_until = null
        from agents a join sessions s using (memory_id, actor_id, session_id)
       where d.agent_id = a.agent_id and a.tenant_id = ${tenantId} and s.session_key = ${sessionKey}
         and s.tenant_id = ${tenantId}`;
  }

  async purgeDeletedMemories(limit: number): Promise<boolean> {
    const [memory] = await sqlOf<{ memory_id: string }>(this.dataSource)`
      select memory_id from memories where status = 'DELETED' limit 1`;
    if (memory === undefined) return false;
    // Vendors keep sending. What has arrived so far is deleted with the memory.
    await sqlOf(this.dataSource)`
      update connector_notices n set body = null, status = 'ignored', code = null
         from connectors c where c.memory_id = ${memory.memory_id} and c.connector_id = n.connector_id
           and n.body is not null`;
    for (const table of MEMORY_TABLES) {
      const gone = await rowsOf(
        this.dataSource,
        `delete from ${table} where ctid = any(array(select ctid from ${table} where memory_id = $1 limit $2))
         returning 1`,
        [memory.memory_id, limit],
      );
      if (gone.length > 0) return true;
    }
    await sqlOf(this.dataSource)`
      delete from memories where memory_id = ${memory.memory_id} and status = 'DELETED'`;
    return true;
  }
}
