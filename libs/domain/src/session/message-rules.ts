import { DomainError } from '../errors.js';
import { isAssistantRole, isToolRole, isUserRole } from './roles.js';
import type { MessageAppended } from './session-events.js';

/** How a message came to be, and whose messages may say so (Agora's guide, "Understand the tech"). */
export const MESSAGE_SOURCES = {
  user: ['asr', 'message', 'command'],
  assistant: ['llm', 'command', 'greeting', 'llm_failure', 'silence'],
} as const;

/** A message that contradicts itself. */
export class InvalidMessage extends DomainError {
  readonly code = 'message.invalid';
  readonly kind = 'invalid';
  constructor(field: string, rule: string) {
    super(`${field} ${rule}.`, {
      title: 'The message contradicts itself.',
      field,
      rule,
      next: 'Correct the field and send the message again.',
    });
  }
}

/** How a dialect spells the fields that have two spellings. */
export interface MessageFieldNames {
  readonly toolCalls: string;
  readonly toolCallId: string;
}
const OWN_NAMES: MessageFieldNames = { toolCalls: 'toolCalls', toolCallId: 'toolCallId' };
/** As OpenAI and Agora spell them. */
export const SNAKE_CASE_NAMES: MessageFieldNames = { toolCalls: 'tool_calls', toolCallId: 'tool_call_id' };

const KNOWN_SOURCES: ReadonlySet<unknown> = new Set([...MESSAGE_SOURCES.user, ...MESSAGE_SOURCES.assistant]);

/** The sources that a role may have, or null for a role that voice platforms do not have. */
const sourcesOf = (role: string): readonly string[] | null => {
  if (isUserRole(role)) return MESSAGE_SOURCES.user;
  return isAssistantRole(role) ? MESSAGE_SOURCES.assistant : null;
};

/**
 * Refuses a message that contradicts itself; anything that is merely unknown (a new source, a new role) passes.
 *
 * @param path where the message is in the request, e.g. `contents.3.`; begins the name of the field at fault
 * @param names how the request spells the fields. Default: as we do
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
