export {
  ShortTermMemory,
  type ContextMessage,
  type ExactMatchOptions,
  type JsonValue,
  type Metadata,
} from './short-term-memory.js';
export { InvalidArgument } from './validation.js';
export type { ServerOptions } from './http-backend.js';
export { isTurnkeeperError, TurnkeeperConnectionError, TurnkeeperError } from '@turnkeeper/client';
