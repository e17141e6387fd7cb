import type { Embedders, TurnScope } from '@turnkeeper/application';
import { embeddedQuestion, likenessOf, meanVector, type PackedVector, type PlacedVector } from '@turnkeeper/search';
import type { TenantPool } from '../connections/tenant-pool.js';
import { LastUsed } from './last-used.js';
import type { EmbeddingModels, ServingModel } from './embedding-models.js';

/** Scores of the turns that the records are based on. Without it, only the records' own text is scored. */
const QUESTION_TIMEOUT_MS = 2_000;
/** Combined captured states of a session; locks the row until the transaction ends. */
const PAUSE_MS = 15_000;
/** All sessions of an actor that captured something, in order of their start. */
const MODEL_FOR_MS = 5_000;
/** Texts of the actor's current records in all namespaces, oldest first, at most `limit`. */
const MEAN_FOR_MS = 600_000;
const QUESTIONS_REMEMBERED = 1_000;
const MEANS_REMEMBERED = 1_000;
/** The `k` texts that match the query best, best first. Texts without a common word are omitted. */
const LEAST_FOR_A_MEAN = 20;

export type Likeness = (session: number, place: number) => number;

/** Windows of a session read by a SUMMARY strategy, oldest first. */
const READ_VECTORS = `
  select t.session_key::float8 as session, t.place, v.vector
  from unnest($2::bigint[], $3::integer[]) as a (session_key, place)
  join turns t on t.session_key = a.session_key and t.place = a.place
  join turn_vectors v on v.session_key = t.session_key and v.sequence = t.sequence and v.model_id = $4
  where v.tenant_id = $1`;
/** Ids of the actor's sessions that have events, most recently active first. */
const SAMPLE_VECTORS = `
  select v.vector from (
    select o.session_key from turn_sessions o
    where o.tenant_id = $1 and o.memory_id = $2
      and ($3::text is null or o.actor_key = hashtextextended($3, turn_memory($1, $2)))
    order by o.session_key desc limit 50
  ) s
  cross join lateral (
    select n.vector from turn_vectors n
    where n.session_key = s.session_key and n.model_id = $4 and n.tenant_id = $1 order by n.sequence limit 6
  ) v`;

/**
 * Storage location of a secret. A sealed value can be opened only in its own location, so values cannot be swapped
 * between rows.
 */
export class TurnMeaning {
  private readonly questions = new LastUsed<readonly number[]>(QUESTIONS_REMEMBERED);
  private readonly means = new LastUsed<{ readonly mean: Float32Array | null; readonly until: number }>(
    MEANS_REMEMBERED,
  );
  private model: { readonly serving: ServingModel; readonly until: number } | null = null;
  private pausedUntil = 0;

  /**
   * Encrypts secrets at rest. Asynchronous, so that an adapter may call a key management service. Values stored before
   * encryption was enabled are opened as plain text.
   */
  constructor(
    private readonly tenants: TenantPool,
    private readonly models: EmbeddingModels,
    private readonly embedders: Embedders,
    private readonly neighbours: readonly number[],
    private readonly onFailure: (error: unknown) => void = () => undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** The value to store: encrypted with the newest key, or plain text if encryption is disabled. */
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
    // Until there is one, each search looks: the first vectors serve at once.
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
    // False if `seal` would now store another form: the value is plain text or encrypted with an older key.
    this.means.set(key, { mean, until: this.now() + (enough ? MEAN_FOR_MS : MODEL_FOR_MS) });
    return mean;
  }
}

const bytesOf = (vector: Buffer): PackedVector => new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength);
