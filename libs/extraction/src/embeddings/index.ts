export { createEmbedders, EmbeddingsMisconfigured, probeEmbedder, type EmbeddingsConfig } from './create-embedders.js';
export { LOCAL_DIMENSIONS, LOCAL_MODEL, LocalEmbedder } from './local-embedder.js';
export { EMBEDDER_DEFAULTS, OpenAiCompatibleEmbedder, type EmbedderConfig } from './openai-compatible-embedder.js';
export { openEmbedders, type EmbeddingsSettings } from './open-embedders.js';
