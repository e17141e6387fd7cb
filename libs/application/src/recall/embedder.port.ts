/** Maps texts to vectors whose distance reflects similarity of meaning. */
export interface Embedder {
  /** Model name. Stored with the vectors, because vectors of different models are not comparable. */
  readonly model: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * One vector per text, in the same order. Rejects with `EmbeddingFailed` rather than return a partial result.
   *
   * @param tenantId who asks, where tenants take turns
   */
  embed(texts: readonly string[], signal: AbortSignal, tenantId?: string): Promise<readonly (readonly number[])[]>;
  /** Whether it answers without being loaded first; if not, begins to load it. Absent: always. */
  isLoaded?(): boolean;
  /** From its cosines to those of the model that scores were fitted to. Absent: they are the same. */
  scale?(signal: AbortSignal): Promise<(cosine: number) => number>;
}

/** The available embedding models. */
export interface Embedders {
  /** The configured model. */
  readonly current: Embedder;
  /**
   * A model from an earlier configuration, so that its vectors stay usable until the current model's exist. Null if
   * unavailable.
   */
  of(model: string, dimensions: number): Embedder | null;
  close(): Promise<void>;
}

/** The endpoint returned no usable vectors. */
export class EmbeddingFailed extends Error {
  constructor(
    /** `model.unreachable`, `model.timeout`, `model.rate_limited`, `model.unreadable_answer`, `model.wrong_dimensions`, … */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'EmbeddingFailed';
  }
}
