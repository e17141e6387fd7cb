/** Turns texts into vectors that lie near each other when the texts mean the same. */
export interface Embedder {
  /** Name of the model. Vectors of two models cannot be compared, so it is stored with them. */
  readonly model: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /** One vector per text, in their order. Rejects with `EmbeddingFailed`, never with some of them missing. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** The models that vectors can be made with. */
export interface Embedders {
  /** The configured one. */
  readonly current: Embedder;
  /** One that an earlier configuration used, so that its vectors serve until the current model has its own; else null. */
  of(model: string, dimensions: number): Embedder | null;
  close(): Promise<void>;
}

/** The endpoint gave no vectors that can be used. */
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
