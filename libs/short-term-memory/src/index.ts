export { ShortTermMemory } from './short-term-memory.js';
export type { ContextMessage, ExactMatchOptions, JsonValue, Metadata } from './types.js';
export { InvalidArgument } from './validation.js';
export type { ServerOptions } from './http-backend.js';
export { isTurnkeeperError, TurnkeeperConnectionError, TurnkeeperError } from '@turnkeeper/client';
