import { refusal } from '../errors.js';
import { isAssistantRole, isToolRole, isUserRole } from './roles.js';
import type { MessageAppended } from './session-events.js';

/** Message sources, and the roles that may use them (Agora's guide, "Understand the tech"). */
export const MESSAGE_SOURCES = {
  user: ['asr', 'message', 'command'],
  assistant: ['llm', 'command', 'greeting', 'llm_failure', 'silence'],
} as const;

/** The fields of a message contradict each other. */
export class InvalidMessage extends refusal('message.invalid', 'invalid', (field: string, rule: string) => ({
  message: `${field} ${rule}.`,
  title: 'The message contradicts itself.',
  field,
  rule,
  next: 'Correct the field and send the message again.',
})) {}

/** Field names that differ between API dialects. */
export interface MessageFieldNames {
  readonly toolCalls: string;
  readonly toolCallId: string;
}
const OWN_NAMES: MessageFieldNames = { toolCalls: 'toolCalls', toolCallId: 'toolCallId' };
/** OpenAI's and Agora's spelling. */
export const SNAKE_CASE_NAMES: MessageFieldNames = { toolCalls: 'tool_calls', toolCallId: 'tool_call_id' };

const KNOWN_SOURCES: ReadonlySet<unknown> = new Set([...MESSAGE_SOURCES.user, ...MESSAGE_SOURCES.assistant]);

/** The sources allowed for a role; null for a role that voice platforms do not use. */
const sourcesOf = (role: string): readonly string[] | null => {
  if (isUserRole(role)) return MESSAGE_SOURCES.user;
  return isAssistantRole(role) ? MESSAGE_SOURCES.assistant : null;
};

/**
 * Rejects a message that contradicts itself. Unknown sources and roles are accepted.
 *
 * @param path location of the message in the request, e.g. `contents.3.`; prefix of the reported field
 * @param names the request's field names. Default: our own
 */
export const assertMessage = (
  message: Pick<MessageAppended, 'role' | 'metadata' | 'toolCalls' | 'toolCallId'>,
  path = '',
  names: MessageFieldNames = OWN_NAMES,
): void => {
  const { role, metadata, toolCalls, toolCallId } = message;
  const refuse = (field: string, rule: string): never => {
    throw new InvalidMessage(`${path}${field}`, rule);
  };
  if (toolCalls !== undefined && !isAssistantRole(role))
    refuse(names.toolCalls, 'may only be sent with the role assistant');
  toolCalls?.forEach(({ id }, index) => {
    if (typeof id !== 'string' || id === '') refuse(`${names.toolCalls}.${index}.id`, 'must be text');
  });
  if (toolCallId !== undefined && !isToolRole(role)) refuse(names.toolCallId, 'may only be sent with the role tool');
  if (metadata === undefined) return;

  const { source, interrupted, interrupt_timestamp: cutAt, original } = metadata;
  const allowed = sourcesOf(role);
  if (KNOWN_SOURCES.has(source) && allowed !== null && !allowed.includes(source as string)) {
    refuse('metadata.source', `must be one of ${allowed.join(', ')} for this role`);
  }
  if (interrupted !== undefined && typeof interrupted !== 'boolean')
    refuse('metadata.interrupted', 'must be true or false');
  if (interrupted === true) {
    if (!isAssistantRole(role)) refuse('metadata.interrupted', 'may be true only with the role assistant');
    if (cutAt !== undefined && (typeof cutAt !== 'number' || cutAt < 0)) {
      refuse('metadata.interrupt_timestamp', 'must be a time since 1970');
    }
    if (original !== undefined && typeof original !== 'string') refuse('metadata.original', 'must be text');
    return;
  }
  if (cutAt !== undefined) refuse('metadata.interrupt_timestamp', 'requires metadata.interrupted to be true');
  if (original !== undefined) refuse('metadata.original', 'requires metadata.interrupted to be true');
};
