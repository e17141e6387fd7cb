import type { Embedders, TurnScope } from '@turnkeeper/application';
import { embeddedQuestion, likenessOf, meanVector, type PackedVector, type PlacedVector } from '@turnkeeper/search';
import type { TenantPool } from '../../connections/tenant-pool.js';
import { LastUsed } from './last-used.js';
import type { EmbeddingModels, ServingModel } from './embedding-models.js';

/** Maximum wait for the question's vector. After that, the search ranks by words only. */
const QUESTION_TIMEOUT_MS = 2_000;
/** How long searches skip vectors after a failure, so that an endpoint that is down does not slow them. */
const PAUSE_MS = 15_000;
/** How long the choice of model is cached. */
const MODEL_FOR_MS = 5_000;
/** How long the mean vector of a scope is cached. It changes slowly. */
const MEAN_FOR_MS = 600_000;
const QUESTIONS_REMEMBERED = 1_000;
const MEANS_REMEMBERED = 1_000;
/** Minimum number of vectors for a meaningful mean. */
const LEAST_FOR_A_MEAN = 20;

export type Likeness = (session: number, place: number) => number;

/** $1 tenant, $2 sessions, $3 their places, $4 model */
const READ_VECTORS = `
  select t.session_key::float8 as session, t.place, v.vector
  from unnest($2::bigint[], $3::integer[]) as a (session_key, place)
  join turns t on t.session_key = a.session_key and t.place = a.place
  join turn_vectors v on v.session_key = t.session_key and v.sequence = t.sequence and v.model_id = $4
  where v.tenant_id = $1`;
/**
 * Sample of turns from up to 50 sessions of a scope. A session begins with greetings, which resemble each other more than
 * other turns do, so more than its first turns are read.
 *
 * $1 tenant, $2 memory, $3 actor or null, $4 model.
 */
const SAMPLE_VECTORS = `
  select v.vector from (
    select o.session_key from turn_sessions o
    where o.tenant_id = $1 and o.memory_id = $2
      and ($3::text is null or o.actor_key = hashtextextended($3, turn_memory($1, $2)))
    order by o.session_key desc limit 50
  ) s
  cross join lateral (
    select n.vector from turn_vectors n
    where n.session_key = s.session_key and n.model_id = $4 and n.tenant_id = $1 order by n.sequence limit 20
  ) v`;

/** Compares turns with a question by vector similarity. Failures are reported and never fail a search. */
export class TurnMeaning {
  private readonly questions = new LastUsed<readonly number[]>(QUESTIONS_REMEMBERED);
  private readonly means = new LastUsed<{ readonly mean: Float32Array | null; readonly until: number }>(
    MEANS_REMEMBERED,
  );
  private model: { readonly serving: ServingModel; readonly until: number } | null = null;
  private pausedUntil = 0;

  /**
   * @param tenants reads one tenant's vectors
   * @param onFailure called with the reason when a search falls back to words only; once per pause
   */
  constructor(
    private readonly tenants: TenantPool,
    private readonly models: EmbeddingModels,
    private readonly embedders: Embedders,
    private readonly neighbours: readonly number[],
    private readonly onFailure: (error: unknown) => void = () => undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * @param turns session and place of the turns to compare
   * @param speakers lower-case names, which are ignored in the question's meaning
   * @returns null if nothing can be compared now
   */
  async likeness(
    scope: TurnScope,
    question: string,
    speakers: readonly string[],
    turns: readonly { readonly session: number; readonly place: number }[],
  ): Promise<Likeness | null> {
    if (turns.length === 0 || this.now() < this.pausedUntil) return null;
    try {
      const serving = await this.serving();
      const text = embeddedQuestion(question, speakers);
      if (serving === null || text === '') return null;
      const [asked, vectors, mean] = await Promise.all([
        this.embed(serving, text),
        this.read(scope, serving, turns),
        this.mean(scope, serving),
      ]);
      return likenessOf(asked, vectors, mean, this.neighbours);
    } catch (error) {
      this.pausedUntil = this.now() + PAUSE_MS;
      this.model = null;
      this.onFailure(error);
      return null;
    }
  }

  private async serving(): Promise<ServingModel | null> {
    if (this.model !== null && this.now() < this.model.until) return this.model.serving;
    const serving = await this.models.serving(this.embedders);
    // Not cached while there is no model: the first vectors are used immediately.
    this.model = serving && { serving, until: this.now() + MODEL_FOR_MS };
    return serving;
  }

  private async embed({ modelId, embedder }: ServingModel, text: string): Promise<readonly number[]> {
    const key = `${modelId} ${text}`;
    const known = this.questions.get(key);
    if (known !== undefined) return known;
    const [vector] = await embedder.embed([text], AbortSignal.timeout(QUESTION_TIMEOUT_MS));
    if (vector === undefined) throw new Error('the model gave no vector for the question');
    this.questions.set(key, vector);
    return vector;
  }

  private async read(
    { tenantId }: TurnScope,
    { modelId }: ServingModel,
    turns: readonly { readonly session: number; readonly place: number }[],
  ): Promise<PlacedVector[]> {
    const reach = (this.neighbours.length - 1) / 2;
    const wanted = new Map<string, readonly [session: number, place: number]>();
    for (const { session, place } of turns) {
      for (let near = Math.max(1, place - reach); near <= place + reach; near += 1) {
        wanted.set(`${session} ${near}`, [session, near]);
      }
    }
    const places = [...wanted.values()];
    const { rows } = await this.tenants.query<{ session: number; place: number; vector: Buffer }>(tenantId, {
      name: 'read_turn_vectors',
      text: READ_VECTORS,
      values: [tenantId, places.map(([session]) => session), places.map(([, place]) => place), modelId],
    });
    return rows.map(({ session, place, vector }) => ({ session, place, vector: bytesOf(vector) }));
  }

  private async mean(scope: TurnScope, { modelId }: ServingModel): Promise<Float32Array | null> {
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
    const mean = enough ? meanVector(rows.map(({ vector }) => bytesOf(vector))) : null;
    // A small scope may soon grow.
    this.means.set(key, { mean, until: this.now() + (enough ? MEAN_FOR_MS : MODEL_FOR_MS) });
    return mean;
  }
}

const bytesOf = (vector: Buffer): PackedVector => new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength);
