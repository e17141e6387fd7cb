export { ShortTermMemory, type ContextMessage, type ExactMatchOptions } from './short-term-memory.js';
export { TurnkeeperRefusal, type ServerOptions } from './http-backend.js';
