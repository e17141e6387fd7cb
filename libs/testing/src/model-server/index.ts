export { failingModes } from './failing-modes.js';
export { fuzzedAnswers, sampleFuzzedAnswers } from './fuzzed-answers.js';
export { plantedFacts } from './honest.js';
export { lyingModes, tolerableModes } from './modes.js';
export { startModelServer, type ModelServer } from './model-server.js';
export { obedient } from './obedient-mode.js';
export { oddModes } from './odd-modes.js';
