import { isUserRole, type WindowMessage } from '@turnkeeper/domain';

/** Spoken by the machine for its own ends (Agora's `metadata.source`), or put into the talk by us: no facts in it. */
const SILENT_SOURCES = new Set(['greeting', 'silence', 'llm_failure', 'memory']);
const ASSISTANT_ROLES = new Set(['assistant', 'ai', 'agent', 'bot', 'model']);

export const isUser = isUserRole;
export const isAssistant = (role: string): boolean => ASSISTANT_ROLES.has(role.toLowerCase());

/** May facts be taken from this message at all? Tools, systems and silent sources say nothing about anybody. */
export const carriesFacts = ({ role, source, content }: WindowMessage): boolean =>
  (isUser(role) || isAssistant(role)) && !SILENT_SOURCES.has(source ?? '') && /\p{L}/u.test(content);
