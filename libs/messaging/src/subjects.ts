/** Default first token of every subject. */
export const DEFAULT_SUBJECT_PREFIX = 'tk';

/** Pattern of a handler for every event of every memory. */
export const ALL_MEMORY_EVENTS = 'tk.*.*.events';

/**
 * Encodes a text as one subject token. Letters, digits, `-` and `_` are kept; every other UTF-8 byte becomes `=XX`, so
 * that dots, spaces and wildcards cannot change the subject. The empty text becomes `=`.
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

/** `tk.<tenant>.<memory>.events`: one subject per memory, so that subscribers can filter by tenant and memory. */
export const memoryEventsSubject = (tenantId: string, memoryId: string, prefix = DEFAULT_SUBJECT_PREFIX): string =>
  `${prefix}.${encodeSubjectToken(tenantId)}.${encodeSubjectToken(memoryId)}.events`;

/** Handlers use the default prefix in their patterns; replaces it with the configured one. */
export const underPrefix = (pattern: string, prefix: string): string =>
  pattern.replace(new RegExp(`^${DEFAULT_SUBJECT_PREFIX}(?=\\.)`), prefix);
