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

/** Whether facts may be extracted from this message. Tools, systems and silent sources make no statements. */
export const carriesFacts = ({ role, source, content }: WindowMessage): boolean =>
  (isUser(role) || isAssistant(role)) && !isSilentSource(source) && /[\p{L}\p{N}]/u.test(content);
