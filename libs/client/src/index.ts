export { Turnkeeper } from './turnkeeper.js';
export type { CallOptions, TurnkeeperOptions } from './http/transport.js';
export type { RetryOptions } from './http/retry.js';
export { List, type ListPage } from './http/list.js';
export {
  isTurnkeeperError,
  TurnkeeperConnectionError,
  TurnkeeperError,
  type FieldError,
  type TurnkeeperErrorCode,
} from './http/errors.js';
export type { Memories, MemoryHandle, Strategies } from './resources/memories.js';
export type { ActorHandle, ContextOptions, ProfileOptions } from './resources/actor.js';
export type { AnswerOptions, SearchTurnsOptions } from './resources/options.js';
export type { AppendOptions, EventsOptions, FollowOptions, SessionHandle } from './resources/session.js';
export type { Message } from './resources/messages.js';
export type { Freshness, ListRecordsOptions, Records, SearchRecordsOptions } from './resources/records.js';
export type { AgentHistory, AgentMessage, Agents, LlmRequest } from './resources/agents.js';
export type { Webhooks } from './resources/webhooks.js';
export type { Admin } from './resources/admin.js';
export type * from './api/types.js';
export type { components, operations, paths } from './api/openapi.generated.js';
export {
  verifyAgoraWebhook,
  verifyWebhook,
  WebhookVerificationError,
  type AgoraNotice,
  type VerifyOptions,
  type WebhookFault,
  type WebhookMessage,
  type WebhookRequest,
} from './webhooks/verify.js';
