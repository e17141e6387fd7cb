import type { Embedders } from '@turnkeeper/application';
import { createEmbedders, probeEmbedder } from './create-embedders.js';

/** The settings that configure embeddings. */
export interface EmbeddingsSettings {
  readonly EMBEDDINGS: 'auto' | 'local' | 'off';
  readonly EMBEDDINGS_URL?: string | undefined;
  readonly EMBEDDINGS_MODEL?: string | undefined;
  readonly EMBEDDINGS_API_KEY?: string | undefined;
  readonly EMBEDDINGS_DIMENSIONS: number;
}

/**
 * The configured embedders, after probing the model once; the local one is loaded in the background. Rejects with `EmbeddingsMisconfigured`. If the model is
 * unavailable, the error is passed to `onUnavailable` and the model is called again later.
 */
export const openEmbedders = async (
  settings: EmbeddingsSettings,
  onUnavailable: (error: unknown) => void,
  inBackground: boolean,
): Promise<Embedders | undefined> => {
  const embedders = createEmbedders({
    mode: settings.EMBEDDINGS,
    baseUrl: settings.EMBEDDINGS_URL,
    model: settings.EMBEDDINGS_MODEL,
    apiKey: settings.EMBEDDINGS_API_KEY,
    dimensions: settings.EMBEDDINGS_DIMENSIONS,
    inBackground,
  });
  // Loading the local model takes seconds, and its dimensions are known.
  const probing = embedders && probeEmbedder(embedders.current, onUnavailable);
  if (settings.EMBEDDINGS !== 'local') await probing;
  return embedders;
};
