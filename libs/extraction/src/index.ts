export { createExtractor } from './create-extractor.js';
export { MODEL_DEFAULTS } from './model/model-config.js';
export { OpenAiCompatibleExtractor } from './model/openai-compatible-extractor.js';
export { secrets } from './secrets/secrets.js';
export { readNumbers } from './numbers/read-numbers.js';
export { ExtractionThreads } from './threads/extraction-threads.js';
export { NotesExtractor } from './notes/notes-extractor.js';
