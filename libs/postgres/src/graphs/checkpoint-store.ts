import type {
  CheckpointScope,
  CheckpointSearch,
  CheckpointStore,
  MemoryScope,
  SessionScope,
} from '@turnkeeper/application';
import type { CheckpointView, PutCheckpointBody, PutCheckpointWritesBody } from '@turnkeeper/contracts';
import { writeJson } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { rowsFor } from '../connections/database.js';
import { GraphWriter } from './graph-writer.js';
import { sqlFor, sqlOf } from '../connections/sql.js';

/** Conditions on `graph_threads t` and `memories m`: a live thread in a scope. Parameters 1 to 4. */
const LIVE_THREAD = `t.tenant_id = $1 and t.memory_id = $2 and ($3::text is null or t.actor_id = $3)
  and ($4::text is null or t.session_id = $4) and m.status = 'ACTIVE'
  and t.touched_at >= now() - make_interval(days => m.event_expiry_duration)`;

const SEARCH = `
  with found as (
    select c.*, t.actor_id, t.session_id
      from graph_threads t
      join memories m on m.memory_id = t.memory_id and m.tenant_id = t.tenant_id
      join graph_checkpoints c on c.thread_key = t.thread_key
     where ${LIVE_THREAD}
       and ($5::text is null or c.checkpoint_ns = $5)
       and ($6::text is null or c.checkpoint_id = $6)
       and ($7::text is null or c.checkpoint_id < $7)
       and c.labels @> $8::jsonb
       and ($9::text is null or (c.checkpoint_id, t.session_id collate "C", t.actor_id collate "C", c.checkpoint_ns)
            < ($9, $10 collate "C", $11 collate "C", $12))
     order by c.checkpoint_id desc, t.session_id collate "C" desc, t.actor_id collate "C" desc, c.checkpoint_ns desc
     limit $13
  )
  select f.actor_id as "actorId", f.session_id as "sessionId", f.checkpoint_ns as namespace,
         f.checkpoint_id as "checkpointId", f.parent_id as "parentId",
         json_build_object('type', f.type, 'data', f.data) as checkpoint,
         json_build_object('type', f.metadata_type, 'data', f.metadata) as metadata,
         (select coalesce(json_agg(json_build_object('channel', b.channel, 'version', b.version, 'type', b.type,
                                                     'data', b.data) order by b.channel), '[]')
            from jsonb_each_text(f.versions) v
            join graph_blobs b on b.thread_key = f.thread_key and b.checkpoint_ns = f.checkpoint_ns
             and b.channel = v.key and b.version = v.value) as channels,
         (select coalesce(json_agg(json_build_object('taskId', w.task_id, 'channel', w.channel, 'type', w.type,
                                                     'data', w.data)
                                   order by w.task_path, w.task_id, w.write_index), '[]')
            from graph_writes w
           where w.thread_key = f.thread_key and w.checkpoint_ns = f.checkpoint_ns
             and w.checkpoint_id = f.checkpoint_id) as writes
    from found f
   order by f.checkpoint_id desc, f.session_id collate "C" desc, f.actor_id collate "C" desc, f.checkpoint_ns desc`;

export class PgCheckpointStore implements CheckpointStore {
  private readonly writer: GraphWriter;

  constructor(private readonly dataSource: DataSource) {
    this.writer = new GraphWriter(dataSource);
  }

  put(scope: SessionScope, checkpoint: PutCheckpointBody): Promise<void> {
    const { checkpoint: own, metadata, channels } = checkpoint;
    return this.writer.write({ scope, checkpoint, bytes: sizeOf([own, metadata, ...channels]) });
  }

  async putWrites(scope: SessionScope, writes: PutCheckpointWritesBody): Promise<void> {
    return this.writer.write({ scope, writes, bytes: sizeOf(writes.writes) });
  }

  search(scope: CheckpointScope, search: CheckpointSearch): Promise<readonly CheckpointView[]> {
    const { tenantId, memoryId, actorId, sessionId } = scope;
    const { namespace = null, checkpointId = null, before = null, filter, limit, after } = search;
    return rowsFor<CheckpointView>(this.dataSource, tenantId, SEARCH, [
      ...[tenantId, memoryId, actorId ?? null, sessionId ?? null],
      ...[namespace, checkpointId, before, writeJson(filter)],
      ...[after?.checkpointId ?? null, after?.sessionId ?? null, after?.actorId ?? null, after?.namespace ?? null],
      limit,
    ]);
  }

  async actorsOf({ tenantId, memoryId }: MemoryScope, sessionId: string, most: number): Promise<readonly string[]> {
    const rows = await rowsFor<{ actor_id: string }>(
      this.dataSource,
      tenantId,
      `select t.actor_id from graph_threads t join memories m on m.memory_id = t.memory_id and m.tenant_id = t.tenant_id
        where ${LIVE_THREAD} order by t.actor_id limit $5`,
      [tenantId, memoryId, null, sessionId, most],
    );
    return rows.map(({ actor_id: actorId }) => actorId);
  }

  async delete({ tenantId, memoryId, actorId, sessionId }: CheckpointScope): Promise<void> {
    await sqlFor(this.dataSource, tenantId)`
      delete from graph_threads where tenant_id = ${tenantId} and memory_id = ${memoryId}
        and (${actorId ?? null}::text is null or actor_id = ${actorId ?? null})
        and (${sessionId ?? null}::text is null or session_id = ${sessionId ?? null})`;
  }
}

/** Deletes expired threads, of all tenants. Resolves to whether there may be more. */
export const purgeExpiredThreads = async (dataSource: DataSource, limit: number): Promise<boolean> => {
  const gone = await sqlOf(dataSource)`
    delete from graph_threads where thread_key = any (array(
       select t.thread_key from graph_threads t join memories m using (memory_id)
        where t.touched_at < now() - make_interval(days => m.event_expiry_duration) limit ${limit}
        for update of t skip locked))
     returning 1`;
  return gone.length === limit;
};

const sizeOf = (values: readonly { readonly data: string }[]): number =>
  values.reduce((sum, { data }) => sum + data.length, 0);
