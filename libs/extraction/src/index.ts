export { createExtractor, type ExtractorConfig } from './create-extractor.js';
export { MODEL_DEFAULTS, type ModelConfig } from './model/model-config.js';
export { type ExtractionLogger, OpenAiCompatibleExtractor } from './model/openai-compatible-extractor.js';
export { secrets } from './secrets/secrets.js';
export { readNumbers } from './numbers/read-numbers.js';
export { ExtractionThreads, type ExtractionThreadsOptions } from './threads/extraction-threads.js';
export { NOTES_VERSION, NotesExtractor } from './notes/notes-extractor.js';
