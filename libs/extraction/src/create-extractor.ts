import type { Extractor } from '@turnkeeper/application';
import { MODEL_DEFAULTS, type ModelConfig } from './model/model-config.js';
import { type ExtractionLogger, OpenAiCompatibleExtractor } from './model/openai-compatible-extractor.js';
import { NotesExtractor } from './notes/notes-extractor.js';
import type { ExtractionThreads } from './threads/extraction-threads.js';
import { ThreadedModel, ThreadedNotes } from './threads/threaded-extractor.js';

/** Settings from the environment. An empty or absent `baseUrl` means that no model is configured. */
export interface ExtractorConfig extends Partial<
  Pick<ModelConfig, 'timeoutMs' | 'maxAnswerBytes' | 'jsonMode' | 'headers'>
> {
  /** `LLM_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** `LLM_MODEL`; required if a base URL is set. */
  readonly model?: string | undefined;
  /** `LLM_API_KEY`. */
  readonly apiKey?: string | undefined;
}

/**
 * Returns the model client if an endpoint is configured, else notes without a model.
 *
 * @param threads where text is processed; null: on the event loop, for tools without concurrent work
 * @throws Error that names the invalid setting, never its value
 */
export const createExtractor = (
  config: ExtractorConfig,
  logger: ExtractionLogger | null = null,
  threads: ExtractionThreads | null = null,
): Extractor => {
  const extractor = extractorOf(config, logger);
  if (threads === null) return extractor;
  return extractor.costly ? new ThreadedModel(extractor, threads) : new ThreadedNotes(extractor, threads);
};

const extractorOf = (config: ExtractorConfig, logger: ExtractionLogger | null): Extractor => {
  const { baseUrl = '', model = '', apiKey = '', ...limits } = config;
  if (baseUrl === '') return new NotesExtractor();
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new Error('LLM_BASE_URL must be an http or https URL.');
  }
  if (model === '') throw new Error('LLM_MODEL must be set when LLM_BASE_URL is.');
  return new OpenAiCompatibleExtractor(
    { ...MODEL_DEFAULTS, ...limits, baseUrl, model, apiKey: apiKey === '' ? null : apiKey },
    logger,
  );
};
