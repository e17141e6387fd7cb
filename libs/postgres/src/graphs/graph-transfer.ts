import type { GraphTransfer, MemoryScope } from '@turnkeeper/application';
import type { TransferCheckpoint, TransferItem } from '@turnkeeper/contracts';
import { writeJson } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { viewsFor, inTenant, rowsFor, rowsOf } from '../connections/database.js';
import { requireOpen, VECTORS_OF_ITEM } from './graph-items.js';

interface Thread {
  readonly threadKey: string;
  readonly actorId: string;
  readonly sessionId: string;
}
type CheckpointRow = Omit<Extract<TransferCheckpoint, { kind: 'checkpoint' }>, 'kind' | 'actorId' | 'sessionId'>;
type WritesRow = Omit<Extract<TransferCheckpoint, { kind: 'checkpoint-writes' }>, 'kind' | 'actorId' | 'sessionId'>;

const THREADS = `
  select t.thread_key as "threadKey", t.actor_id as "actorId", t.session_id as "sessionId"
    from graph_threads t join memories m on m.memory_id = t.memory_id and m.tenant_id = t.tenant_id
   where t.tenant_id = $1 and t.memory_id = $2 and t.thread_key > $3::bigint and m.status = 'ACTIVE'
     and t.touched_at >= now() - make_interval(days => m.event_expiry_duration)
   order by t.thread_key limit 100`;

/** The next checkpoint of a thread, with the values of the channels whose version its parent does not have. */
const NEXT_CHECKPOINT = `
  select c.checkpoint_ns as namespace, c.checkpoint_id as "checkpointId", c.parent_id as "parentId",
         json_build_object('type', c.type, 'data', c.data) as checkpoint,
         json_build_object('type', c.metadata_type, 'data', c.metadata) as metadata,
         c.labels, c.versions as "channelVersions",
         (select coalesce(json_agg(json_build_object('channel', b.channel, 'version', b.version, 'type', b.type,
                                                     'data', b.data) order by b.channel), '[]')
            from jsonb_each_text(c.versions) v
            join graph_blobs b on b.thread_key = c.thread_key and b.checkpoint_ns = c.checkpoint_ns
             and b.channel = v.key and b.version = v.value
           where p.versions is null or p.versions ->> v.key is distinct from v.value) as channels
    from graph_checkpoints c
    left join graph_checkpoints p on p.thread_key = c.thread_key and p.checkpoint_ns = c.checkpoint_ns
     and p.checkpoint_id = c.parent_id
   where c.tenant_id = $1 and c.thread_key = $2::bigint and (c.checkpoint_ns, c.checkpoint_id) > ($3, $4)
   order by c.checkpoint_ns, c.checkpoint_id limit 1`;

const NEXT_WRITES = `
  select checkpoint_ns as namespace, checkpoint_id as "checkpointId", task_id as "taskId", task_path as "taskPath",
         false as overwrite,
         json_agg(json_build_object('index', write_index, 'channel', channel, 'type', type, 'data', data)
                  order by write_index) as writes
    from graph_writes
   where tenant_id = $1 and thread_key = $2::bigint
     and (checkpoint_ns, checkpoint_id, task_id, task_path) > ($3, $4, $5, $6)
   group by 1, 2, 3, 4 order by 1, 2, 3, 4 limit 1`;

const NEXT_ITEM = `
  select namespace, key, value, words is not null as "isRanked",
         array(select translate(encode(v, 'base64'), E'\\n', '') from unnest(vectors) v) as vectors,
         created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt"
    from next_graph_item($1, $2, $3, $4)`;

const SAVE_ITEMS = `
  insert into graph_items (tenant_id, memory_id, namespace, key, value, words, vectors, created_at, updated_at, expires_at)
  select $1, $2, array(select jsonb_array_elements_text(w -> 'namespace')), w ->> 'key', w -> 'value',
         case when (w ->> 'isRanked')::boolean then jsonb_to_tsvector('english', w -> 'value', '["string", "numeric"]') end,
         ${VECTORS_OF_ITEM},
         (w ->> 'createdAt')::timestamptz, (w ->> 'updatedAt')::timestamptz, (w ->> 'expiresAt')::timestamptz
    from jsonb_array_elements($3::jsonb) with ordinality as input(w, nr)
   order by nr
  on conflict do nothing`;

export class PgGraphTransfer implements GraphTransfer {
  constructor(private readonly dataSource: DataSource) {}

  async *checkpoints({ tenantId, memoryId }: MemoryScope): AsyncGenerator<TransferCheckpoint> {
    const read = <T>(sql: string, values: unknown[]) =>
      rowsFor<T>(this.dataSource, tenantId, sql, [tenantId, ...values]);
    for (let last = '0'; ;) {
      const threads = await read<Thread>(THREADS, [memoryId, last]);
      for (const { threadKey, actorId, sessionId } of threads) {
        last = threadKey;
        const of = { actorId, sessionId };
        for (let after = ['', '']; ;) {
          const [row] = await read<CheckpointRow>(NEXT_CHECKPOINT, [threadKey, ...after]);
          if (row === undefined) break;
          yield { kind: 'checkpoint', ...of, ...row };
          after = [row.namespace, row.checkpointId];
        }
        for (let after = ['', '', '', '']; ;) {
          const [row] = await read<WritesRow>(NEXT_WRITES, [threadKey, ...after]);
          if (row === undefined) break;
          yield { kind: 'checkpoint-writes', ...of, ...row };
          after = [row.namespace, row.checkpointId, row.taskId, row.taskPath];
        }
      }
      if (threads.length === 0) return;
    }
  }

  async *items({ tenantId, memoryId }: MemoryScope): AsyncGenerator<TransferItem> {
    for (let after: [string[], string] = [[], '']; ;) {
      const [item] = await viewsFor<TransferItem>(this.dataSource, tenantId, NEXT_ITEM, [tenantId, memoryId, ...after]);
      if (item === undefined) return;
      yield item;
      after = [item.namespace, item.key];
    }
  }

  saveItems(scope: MemoryScope, items: readonly TransferItem[]): Promise<void> {
    const { tenantId, memoryId } = scope;
    return inTenant(this.dataSource, tenantId, (manager) =>
      manager.transaction(async (transaction) => {
        await requireOpen(transaction, scope);
        await rowsOf(transaction, SAVE_ITEMS, [tenantId, memoryId, writeJson(items)]);
      }),
    );
  }
}
