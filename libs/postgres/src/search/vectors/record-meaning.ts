import type pg from 'pg';
import { inSlices } from '../time-slices.js';
import { vectorOf } from './embed-texts.js';
import { HeldVectors, type LikeRecord } from './held-vectors.js';
import { LastUsed } from './last-used.js';
import type { QuestionVectors } from './question-vectors.js';

/** Vectors of one namespace that are searched: the newest ones. */
const MAX_VECTORS = 50_000;
/** Memory of the vectors that a process holds, and at most of one namespace. */
const MAX_BYTES = 96 * 1_048_576;
const MAX_BYTES_OF_ONE = 32 * 1_048_576;
const SCOPES_HELD = 2_000;
/** Then they are read anew: what was deleted since is gone from memory too. */
const HELD_FOR_MS = 600_000;

interface Namespace {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly namespace: string;
}

interface Held {
  readonly vectors: HeldVectors;
  /** All transactions before it were read. */
  readonly upto: string;
  readonly until: number;
}

interface VectorRow {
  readonly upto: string;
  readonly record_id: string | null;
  readonly vector: Buffer | null;
}

/** $1 tenant, $2 memory, $3 namespace, $4 model, $5 first transaction that has not been read, $6 maximum */
const READ_VECTORS = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as upto, v.record_id, v.vector
  from (select 1) as one
  left join lateral (
    select i.record_id, i.vector, i.written from record_vectors i
    where i.scope = vector_scope($2, $3) and i.model_id = $4 and i.written >= $5::xid8 and i.tenant_id = $1
    order by i.written desc limit $6
  ) v on true
  order by v.written`;

export interface NearestRecords {
  readonly records: readonly LikeRecord[];
  /** Number of records that were compared. */
  readonly compared: number;
}

/**
 * Finds records by their meaning: compares a question with every vector of a namespace. The vectors are held in memory,
 * and each search reads those that were written since.
 */
export class RecordMeaning {
  private readonly held = new LastUsed<Promise<Held>>(SCOPES_HELD, MAX_BYTES);

  /** @param pool sees every row: what it reads is kept for the requests of all keys, which read only records they reach */
  constructor(
    private readonly pool: pg.Pool,
    private readonly questions: QuestionVectors,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * The records that are most alike, best first; also deleted and superseded ones. Null if nothing can be compared now.
   *
   * @param only ids of the records to compare; null for all
   */
  async nearest(
    scope: Namespace,
    question: string,
    most: number,
    only: readonly string[] | null,
  ): Promise<NearestRecords | null> {
    return this.questions.compare('records', scope.tenantId, question, [], async (modelId, asked, scale) => {
      const vectors = await this.vectorsOf(scope, modelId);
      if (vectors.size === 0) return { records: [], compared: 0 };
      const nearest = await vectors.nearest(await asked(), most, only === null ? null : new Set(only));
      const records = nearest.map(({ recordId, likeness }) => ({ recordId, likeness: scale(likeness) }));
      return { records, compared: vectors.size };
    });
  }

  private async vectorsOf(scope: Namespace, modelId: number): Promise<HeldVectors> {
    const key = JSON.stringify([scope.tenantId, scope.memoryId, scope.namespace, modelId]);
    const reading = this.read(scope, modelId, this.held.get(key));
    this.held.set(key, reading);
    try {
      const { vectors } = await reading;
      this.held.set(key, reading, vectors.bytes);
      return vectors;
    } catch (error) {
      this.held.delete(key);
      throw error;
    }
  }

  /** One read after another, so that each adds to what the one before has read. */
  private async read(
    { tenantId, memoryId, namespace }: Namespace,
    modelId: number,
    before: Promise<Held> | undefined,
  ): Promise<Held> {
    const known = await before?.catch(() => undefined);
    const held = known !== undefined && known.until > this.now() ? known : undefined;
    const { rows } = await this.pool.query<VectorRow>({
      name: 'read_record_vectors',
      text: READ_VECTORS,
      values: [tenantId, memoryId, namespace, modelId, held?.upto ?? '0', MAX_VECTORS],
    });
    // The model rejected the texts of empty ones.
    const usable = rows.filter(
      (row): row is VectorRow & { record_id: string; vector: Buffer } => row.record_id !== null && !!row.vector?.length,
    );
    const dimensions = usable[0]?.vector.length ?? 1;
    const vectors =
      held !== undefined && held.vectors.size > 0
        ? held.vectors
        : new HeldVectors(dimensions, Math.min(MAX_VECTORS, Math.floor(MAX_BYTES_OF_ONE / dimensions)));
    await inSlices(usable, ({ record_id: recordId, vector }) => vectors.set(recordId, vectorOf(vector)));
    return { vectors, upto: rows[0]?.upto ?? '0', until: held?.until ?? this.now() + HELD_FOR_MS };
  }
}
