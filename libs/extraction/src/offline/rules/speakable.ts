import { isSilentSource, isUserRole, type WindowMessage } from '@turnkeeper/domain';

const ASSISTANT_ROLES = new Set(['assistant', 'ai', 'agent', 'bot', 'model']);

export const isUser = isUserRole;
export const isAssistant = (role: string): boolean => ASSISTANT_ROLES.has(role.toLowerCase());

/** May facts be taken from this message at all? Tools, systems and silent sources say nothing about anybody. */
export const carriesFacts = ({ role, source, content }: WindowMessage): boolean =>
  (isUser(role) || isAssistant(role)) && !isSilentSource(source) && /[\p{L}\p{N}]/u.test(content);
