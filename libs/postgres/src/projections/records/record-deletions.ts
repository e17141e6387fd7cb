import type {
  PageAfter,
  DeletionBatch,
  DeletionFilter,
  RecordDeletion,
  RecordDeletions,
  Transaction,
} from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { serialize } from '../../connections/serialized.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { raw, sqlFor, sqlOf, sqlViewsFor, sqlViewsOf } from '../../connections/sql.js';

const COLUMNS = `deletion_id, tenant_id, memory_id, filter, found::float8, deleted::float8, attempts, requested_at, finished_at,
  case when finished_at is not null then 'finished' when found is null then 'pending' else 'running' end as status`;

export class PgRecordDeletions implements RecordDeletions {
  constructor(private readonly dataSource: DataSource) {}

  async insert(
    tx: Transaction,
    {
      deletionId,
      tenantId,
      memoryId,
      filter,
    }: Pick<RecordDeletion, 'deletionId' | 'tenantId' | 'memoryId'> & { readonly filter: DeletionFilter },
    most: number,
  ): Promise<boolean> {
    const manager = managerOf(tx);
    await serialize(manager, 'deletions', tenantId);
    const rows = await sqlOf(manager)`
      insert into record_deletions (deletion_id, tenant_id, memory_id, filter)
      select ${deletionId}, ${tenantId}, ${memoryId}, ${JSON.stringify(filter)}
       where (select count(*) from record_deletions where tenant_id = ${tenantId} and finished_at is null) < ${most}
      returning 1`;
    return rows.length > 0;
  }

  async find(tenantId: string, memoryId: string, deletionId: string): Promise<RecordDeletion | null> {
    const [deletion] = await sqlViewsFor<RecordDeletion>(this.dataSource, tenantId)`
      select ${raw(COLUMNS)} from record_deletions where tenant_id = ${tenantId} and memory_id = ${memoryId}
        and deletion_id = ${deletionId}`;
    return deletion ?? null;
  }

  async list(tenantId: string, memoryId: string, { limit, after }: PageAfter): Promise<readonly RecordDeletion[]> {
    // The ids are in the order of their creation.
    return sqlViewsFor<RecordDeletion>(this.dataSource, tenantId)`
      select ${raw(COLUMNS)} from record_deletions
       where tenant_id = ${tenantId} and memory_id = ${memoryId} and (${after ?? null}::uuid is null
         or deletion_id < ${after ?? null})
       order by deletion_id desc limit ${limit}`;
  }

  async due(limit: number): Promise<readonly Pick<RecordDeletion, 'deletionId' | 'tenantId' | 'memoryId'>[]> {
    return sqlViewsOf<Pick<RecordDeletion, 'deletionId' | 'tenantId' | 'memoryId'>>(this.dataSource)`
      select deletion_id, tenant_id, memory_id from record_deletions where due_at <= now() order by due_at
        limit ${limit}`;
  }

  async hold(tx: Transaction, tenantId: string, deletionId: string): Promise<RecordDeletion | null> {
    const manager = managerOf(tx);
    const [deletion] = await sqlViewsOf<RecordDeletion>(manager)`
      select ${raw(COLUMNS)} from record_deletions
        where tenant_id = ${tenantId} and deletion_id = ${deletionId} and finished_at is null for update skip locked`;
    return deletion ?? null;
  }

  /** Superseded records come first, so that none becomes current again only to be deleted. */
  async listMatches(
    tx: Transaction,
    { deletionId, tenantId, memoryId, filter, requestedAt }: RecordDeletion,
  ): Promise<void> {
    await rowsOf(
      managerOf(tx),
      `with listed as (
         insert into record_deletion_items (deletion_id, place, tenant_id, record_id)
         select $1, row_number() over (order by md5(r.namespace), r.namespace, r.actor_id,
                  r.superseded_by is null, r.created_at, r.record_id), $2, r.record_id
           from records r
          where r.tenant_id = $2 and r.memory_id = $3
            and ($4::text is null or md5(r.namespace) = md5($4) and r.namespace = $4)
            and ($5::uuid is null or r.strategy_id = $5)
            and ($6::text is null or r.actor_id = $6)
            and ($7::timestamptz is null or r.created_at >= $7)
            and ($8::timestamptz is null or r.created_at <= $8)
            and (r.created_at <= $9
              -- Nothing is added for a deleted strategy, and its last extraction may have committed after the request.
              or $5::uuid is not null and not exists (
                select from strategies st where st.strategy_id = $5 and st.tenant_id = $2))
         returning 1
       )
       update record_deletions set found = (select count(*) from listed) where deletion_id = $1 and tenant_id = $2
      `,
      [
        ...[deletionId, tenantId, memoryId],
        ...[filter?.namespace, filter?.strategyId, filter?.actorId, filter?.createdFrom, filter?.createdTo].map(
          (value) => value ?? null,
        ),
        requestedAt,
      ],
    );
  }

  async next(tx: Transaction, tenantId: string, deletionId: string, limit: number): Promise<DeletionBatch | null> {
    const rows = await sqlOf<{ record_id: string; namespace: string | null; actor_id: string | null }>(managerOf(tx))`
      select i.record_id, r.namespace, r.actor_id
        from (select * from record_deletion_items where deletion_id = ${deletionId} and tenant_id = ${tenantId}
          order by place limit ${limit}) i
        left join records r on r.record_id = i.record_id and r.tenant_id = ${tenantId}
       order by i.place`;
    if (rows.length === 0) return null;
    const first = rows.find(({ namespace }) => namespace !== null);
    // Records that are gone belong to any batch.
    const end = rows.findIndex(
      (row) => row.namespace !== null && (row.namespace !== first?.namespace || row.actor_id !== first.actor_id),
    );
    const recordIds = rows.slice(0, end < 0 ? rows.length : end).map((row) => row.record_id);
    return { namespace: first?.namespace ?? '', recordIds };
  }

  async advance(
    tx: Transaction,
    tenantId: string,
    deletionId: string,
    { recordIds, deleted }: { readonly recordIds: readonly string[]; readonly deleted: number },
  ): Promise<void> {
    const manager = managerOf(tx);
    await sqlOf(manager)`
      delete from record_deletion_items where (deletion_id, place) in (
         select deletion_id, place from record_deletion_items
          where deletion_id = ${deletionId} and tenant_id = ${tenantId} order by place limit ${recordIds.length})`;
    await sqlOf(manager)`
      update record_deletions set deleted = deleted + ${deleted}, attempts = 0, due_at = now()
        where deletion_id = ${deletionId} and tenant_id = ${tenantId}`;
  }

  async finish(tx: Transaction, tenantId: string, deletionId: string): Promise<void> {
    await sqlOf(managerOf(tx))`
      update record_deletions set filter = null, due_at = null, finished_at = now(), attempts = 0
        where deletion_id = ${deletionId} and tenant_id = ${tenantId}`;
  }

  async fail(tenantId: string, deletionId: string): Promise<void> {
    await sqlFor(this.dataSource, tenantId)`
      update record_deletions
          set attempts = attempts + 1, due_at = now() + make_interval(secs => least(300, 2 ^ least(attempts, 10)))
        where deletion_id = ${deletionId} and tenant_id = ${tenantId} and finished_at is null`;
  }

  async forgetFinished(days: number, limit: number): Promise<number> {
    const rows = await sqlOf(this.dataSource)`
      delete from record_deletions where deletion_id in (
         select deletion_id from record_deletions where finished_at < now() - make_interval(days => ${days})
           limit ${limit})
       returning 1`;
    return rows.length;
  }
}
