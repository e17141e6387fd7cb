/** The first token of every subject, unless the installation chooses another. */
export const DEFAULT_SUBJECT_PREFIX = 'tk';

/** The pattern of a handler that hears of every event of every memory. */
export const ALL_MEMORY_EVENTS = 'tk.*.*.events';

/**
 * Makes any text safe as one subject token. Letters, digits, `-` and `_` stay; every other UTF-8 byte becomes `=XX`,
 * so that dots, spaces and wildcards cannot change what a subject means. The empty text becomes `=`.
 */
export const encodeSubjectToken = (text: string): string => {
  if (PLAIN.test(text)) return text;
  let token = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const char = String.fromCharCode(byte);
    token += PLAIN.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return token || '=';
};
const PLAIN = /^[A-Za-z0-9_-]+$/;

/** `tk.<tenant>.<memory>.events`: one subject per memory, so that a subscriber can filter by tenant and memory. */
export const memoryEventsSubject = (tenantId: string, memoryId: string, prefix = DEFAULT_SUBJECT_PREFIX): string =>
  `${prefix}.${encodeSubjectToken(tenantId)}.${encodeSubjectToken(memoryId)}.events`;

/** A handler names patterns with the default prefix; an installation with another prefix gets its own. */
export const underPrefix = (pattern: string, prefix: string): string =>
  pattern.replace(new RegExp(`^${DEFAULT_SUBJECT_PREFIX}(?=\\.)`), prefix);
