import type { WindowMessage } from '@turnkeeper/domain';

/** Spoken by the machine for its own ends (Agora's `metadata.source`), or put into the talk by us: no facts in it. */
const SILENT_SOURCES = new Set(['greeting', 'silence', 'llm_failure', 'memory', 'injected_memory']);
const SPEAKING_ROLES = new Set(['user', 'assistant']);

/** May facts be taken from this message at all? */
export const carriesFacts = (message: WindowMessage): boolean =>
  SPEAKING_ROLES.has(message.role) && !SILENT_SOURCES.has(message.source ?? '') && /\p{L}/u.test(message.content);
