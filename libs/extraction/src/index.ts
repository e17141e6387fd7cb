export * from './create-extractor.js';
export { OFFLINE_RULES_VERSION, OfflineExtractor } from './offline/offline-extractor.js';
