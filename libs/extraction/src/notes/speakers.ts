import { isAssistantRole, isSilentSource, isToolRole, isUserRole, type WindowMessage } from '@turnkeeper/domain';

/** Names for the two sides in call centres, agent frameworks and chat widgets, in addition to the log's roles. */
const USERS: ReadonlySet<string> = new Set([
  'customer',
  'caller',
  'client',
  'end_user',
  'enduser',
  'visitor',
  'patient',
]);
const ASSISTANTS: ReadonlySet<string> = new Set(['agent', 'bot', 'model', 'virtual_agent']);

export const isUser = (role: string): boolean => isUserRole(role) || USERS.has(role.toLowerCase());
export const isAssistant = (role: string): boolean => isAssistantRole(role) || ASSISTANTS.has(role.toLowerCase());

/** A role in neither table, so it is unknown whether the user or the agent speaks. */
export const isUnknownRole = (role: string): boolean =>
  !isUser(role) && !isAssistant(role) && !isToolRole(role) && !/^(?:system|developer)$/i.test(role);

/** Whether a message may be quoted. Tools, systems and silent sources make no statements. */
export const isSpoken = ({ role, source, content }: WindowMessage): boolean =>
  (isUser(role) || isAssistant(role)) && !isSilentSource(source) && /[\p{L}\p{N}]/u.test(content);

const MAX_NAME_LENGTH = 60;

/** The speaker's name as the client gave it; null if there is none that can be shown. */
export const nameGiven = ({ speaker }: Pick<WindowMessage, 'speaker'>): string | null => {
  const name = speaker?.replace(/[\s\p{C}"“”]+/gu, ' ').trim() ?? '';
  return name !== '' && name.length <= MAX_NAME_LENGTH && /\p{L}/u.test(name) ? name : null;
};

/** The name of a message's speaker in frames: the client's, or `User` / `Agent`. */
export const nameOf = (message: Pick<WindowMessage, 'role' | 'speaker'>): string =>
  nameGiven(message) ?? (isAssistant(message.role) ? 'Agent' : 'User');
