import type { TurnScope } from '@turnkeeper/application';
import { likenessOf, meanVector, type PlacedVector } from '@turnkeeper/search';
import type { TenantPool } from '../../connections/tenant-pool.js';
import { vectorOf } from './embed-texts.js';
import { LastUsed } from './last-used.js';
import type { QuestionVectors } from './question-vectors.js';

/** How long a scope without a mean vector is taken to have none: it may soon grow. */
const NO_MEAN_FOR_MS = 5_000;
/** How long the mean vector of a scope is cached. It changes slowly. */
const MEAN_FOR_MS = 600_000;
const MEANS_REMEMBERED = 1_000;
/** Minimum number of vectors for a meaningful mean. */
const LEAST_FOR_A_MEAN = 20;

export type Likeness = (session: number, place: number) => number;
type SequenceOf = (session: number, place: number) => number | null;

/** $1 tenant, $2 sessions, $3 sequences of their turns, $4 model, $5 places of the turns */
const READ_VECTORS = `
  select a.session_key::float8 as session, a.place, v.vector
  from unnest($2::bigint[], $3::bigint[], $5::integer[]) as a (session_key, sequence, place)
  join turn_vectors v on v.session_key = a.session_key and v.sequence = a.sequence and v.model_id = $4
  where v.tenant_id = $1`;
/**
 * Sample of turns from up to 50 sessions of a scope. A session begins with greetings, which resemble each other more than
 * other turns do, so more than its first turns are read.
 *
 * $1 tenant, $2 memory, $3 actor or null, $4 model.
 */
const SAMPLE_VECTORS = `
  select v.vector from (
    select distinct o.session_key from turn_segments o
    where o.tenant_id = $1 and o.memory_id = $2
      and ($3::text is null or o.actor_key = hashtextextended($3, turn_memory($1, $2)))
    order by o.session_key desc limit 50
  ) s
  cross join lateral (
    select n.vector from turn_vectors n
    where n.session_key = s.session_key and n.model_id = $4 and n.tenant_id = $1 order by n.sequence limit 20
  ) v`;

/** Compares turns with a question by vector similarity. */
export class TurnMeaning {
  private readonly means = new LastUsed<{ readonly mean: Float32Array | null; readonly until: number }>(
    MEANS_REMEMBERED,
  );

  /** @param tenants reads one tenant's vectors */
  constructor(
    private readonly tenants: TenantPool,
    private readonly questions: QuestionVectors,
    private readonly neighbours: readonly number[],
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * @param turns session and place of the turns to compare
   * @param speakers lower-case names, which are ignored in the question's meaning
   * @param sequenceOf the turn at a place of a session; null if there is none
   * @returns null if nothing can be compared now
   */
  async likeness(
    scope: TurnScope,
    question: string,
    speakers: readonly string[],
    turns: readonly { readonly session: number; readonly place: number }[],
    sequenceOf: SequenceOf,
  ): Promise<Likeness | null> {
    if (turns.length === 0) return null;
    return this.questions.compare('turns', scope.tenantId, question, speakers, async (modelId, vector) => {
      const [asked, vectors, mean] = await Promise.all([
        vector(),
        this.read(scope, modelId, turns, sequenceOf),
        this.mean(scope, modelId),
      ]);
      return likenessOf(asked, vectors, mean, this.neighbours);
    });
  }

  private async read(
    { tenantId }: TurnScope,
    modelId: number,
    turns: readonly { readonly session: number; readonly place: number }[],
    sequenceOf: SequenceOf,
  ): Promise<PlacedVector[]> {
    const reach = (this.neighbours.length - 1) / 2;
    const wanted = new Map<string, readonly [session: number, place: number, sequence: number]>();
    for (const { session, place } of turns) {
      for (let near = Math.max(1, place - reach); near <= place + reach; near += 1) {
        const sequence = sequenceOf(session, near);
        if (sequence !== null) wanted.set(`${session} ${near}`, [session, near, sequence]);
      }
    }
    const places = [...wanted.values()];
    const { rows } = await this.tenants.query<{ session: number; place: number; vector: Buffer }>(tenantId, {
      name: 'read_turn_vectors',
      text: READ_VECTORS,
      values: [
        tenantId,
        places.map(([session]) => session),
        places.map(([, , sequence]) => sequence),
        modelId,
        places.map(([, place]) => place),
      ],
    });
    return rows.map(({ session, place, vector }) => ({ session, place, vector: vectorOf(vector) }));
  }

  private async mean(scope: TurnScope, modelId: number): Promise<Float32Array | null> {
    const { tenantId, memoryId, actorId = null } = scope;
    const key = JSON.stringify([tenantId, memoryId, actorId, modelId]);
    const known = this.means.get(key);
    if (known !== undefined && known.until > this.now()) return known.mean;
    const { rows } = await this.tenants.query<{ vector: Buffer }>(tenantId, {
      name: 'sample_turn_vectors',
      text: SAMPLE_VECTORS,
      values: [tenantId, memoryId, actorId, modelId],
    });
    const enough = rows.length >= LEAST_FOR_A_MEAN;
    const mean = enough ? meanVector(rows.map(({ vector }) => vectorOf(vector))) : null;
    this.means.set(key, { mean, until: this.now() + (enough ? MEAN_FOR_MS : NO_MEAN_FOR_MS) });
    return mean;
  }
}
