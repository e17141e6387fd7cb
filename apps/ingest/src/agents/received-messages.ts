import { parseOrRefuse, idempotencyKey, type AgentMessage } from '@turnkeeper/contracts';
import type { RepeatKey } from '@turnkeeper/application';
import { messageOfContent, type AgoraContent, type MessageAppended } from '@turnkeeper/domain';
import { sha256Hex } from '@turnkeeper/platform';

/** Messages of a validated body. */
export const receivedMessages = (contents: readonly AgentMessage[]): MessageAppended[] =>
  contents.map((message) => messageOfContent(message as AgoraContent));

/** Idempotency key of an append with this header and body. */
export const repeatKeyOf = (header: string | undefined, body: unknown): RepeatKey => ({
  idempotencyKey: header === undefined ? undefined : parseOrRefuse('Idempotency-Key', idempotencyKey, header),
  fingerprint: () => sha256Hex(JSON.stringify(body ?? null)),
});
