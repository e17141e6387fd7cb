import type { Embedders } from '@turnkeeper/application';
import { embeddedQuestion } from '@turnkeeper/search';
import type { Embedded, EmbeddingModels, ServingModel } from './embedding-models.js';
import { LastUsed } from './last-used.js';

/** Maximum wait for the question's vector. After that, the search ranks by words only. */
const QUESTION_TIMEOUT_MS = 2_000;
/**
 * How long searches skip vectors after a failure, so that an endpoint that is down does not slow them. After a timeout only
 * those of the tenant, whose questions may wait for its own in the model's queue.
 */
const PAUSE_MS = 15_000;
const TENANTS_REMEMBERED = 10_000;
/** How long the choice of model is cached. */
const MODEL_FOR_MS = 5_000;
const QUESTIONS_REMEMBERED = 1_000;

/** From a model's cosine to the scale that scores were fitted to. */
type Scale = (cosine: number) => number;
const asItIs: Scale = (cosine) => cosine;

/** Embeds questions. Failures are reported and never fail a search. */
export class QuestionVectors {
  private readonly questions = new LastUsed<Promise<readonly number[]>>(QUESTIONS_REMEMBERED);
  private readonly models = new Map<Embedded, { readonly serving: ServingModel; readonly until: number }>();
  private pausedUntil = 0;
  private readonly tenantsPausedUntil = new LastUsed<number>(TENANTS_REMEMBERED);

  /** @param onFailure called with the reason when a search falls back to words only; once per pause */
  constructor(
    private readonly stored: Pick<EmbeddingModels, 'serving'>,
    private readonly embedders: Embedders,
    private readonly onFailure: (error: unknown) => void = () => undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Compares something with a question; null if that cannot be done now.
   *
   * @param tenantId who asks
   * @param speakers lower-case names, which are ignored in the question's meaning
   */
  async compare<T>(
    what: Embedded,
    tenantId: string,
    question: string,
    speakers: readonly string[],
    compare: (modelId: number, vector: () => Promise<readonly number[]>, scale: Scale) => Promise<T>,
  ): Promise<T | null> {
    if (this.now() < Math.max(this.pausedUntil, this.tenantsPausedUntil.get(tenantId) ?? 0)) return null;
    try {
      const serving = await this.serving(what);
      const text = embeddedQuestion(question, speakers);
      if (serving === null || text === '' || serving.embedder.isLoaded?.() === false) return null;
      const scale = await serving.embedder.scale?.(AbortSignal.timeout(QUESTION_TIMEOUT_MS));
      return await compare(serving.modelId, () => this.embed(serving, tenantId, text), scale ?? asItIs);
    } catch (error) {
      const until = this.now() + PAUSE_MS;
      if (isTimeout(error)) this.tenantsPausedUntil.set(tenantId, until);
      else this.pausedUntil = until;
      this.models.clear();
      this.onFailure(error);
      return null;
    }
  }

  private async serving(what: Embedded): Promise<ServingModel | null> {
    const known = this.models.get(what);
    if (known !== undefined && this.now() < known.until) return known.serving;
    const serving = await this.stored.serving(what, this.embedders);
    // Not cached while there is no model: the first vectors are used immediately.
    if (serving !== null) this.models.set(what, { serving, until: this.now() + MODEL_FOR_MS });
    return serving;
  }

  /** Searches of one request ask for the same vector at the same time. */
  private embed({ modelId, embedder }: ServingModel, tenantId: string, text: string): Promise<readonly number[]> {
    const key = `${modelId} ${text}`;
    const known = this.questions.get(key);
    if (known !== undefined) return known;
    const asked = embedder.embed([text], AbortSignal.timeout(QUESTION_TIMEOUT_MS), tenantId).then(([vector]) => {
      if (vector === undefined) throw new Error('the model gave no vector for the question');
      return vector;
    });
    asked.catch(() => this.questions.delete(key));
    this.questions.set(key, asked);
    return asked;
  }
}

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';
