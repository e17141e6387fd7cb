export { failingModes } from './failing-modes.js';
export { fuzzedAnswers, sampleFuzzedAnswers, type FuzzWords } from './fuzzed-answers.js';
export { honestFacts, plantedFacts, type WireFact } from './honest.js';
export { lyingModes, type Mode, tolerableModes } from './modes.js';
export { startModelServer, type ModelServer } from './model-server.js';
export { obedient } from './obedient-mode.js';
export { oddModes } from './odd-modes.js';
export { Reply } from './reply.js';
export type { ModelRequest, ShownMessage } from './request.js';
