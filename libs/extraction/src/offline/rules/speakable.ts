import { isAssistantRole, isSilentSource, isToolRole, isUserRole, type WindowMessage } from '@turnkeeper/domain';

/** What call centres, agents' frameworks and chat widgets call the two sides, beside the roles of the log. */
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

/** A role that is in no table: nothing says whether it is the user or the agent that speaks. */
export const isUnknownRole = (role: string): boolean =>
  !isUser(role) && !isAssistant(role) && !isToolRole(role) && !/^(?:system|developer)$/i.test(role);

/** May facts be taken from this message at all? Tools, systems and silent sources say nothing about anybody. */
export const carriesFacts = ({ role, source, content }: WindowMessage): boolean =>
  (isUser(role) || isAssistant(role)) && !isSilentSource(source) && /[\p{L}\p{N}]/u.test(content);
