/** The text of a body. One that is gone reads as an empty object: nothing but its arrival counts any more. */
export const textOf = (body: Uint8Array | null): string => (body === null ? '{}' : new TextDecoder().decode(body));

/** Postgres text cannot hold NUL. A vendor's stray one costs a character, not the message. */
export const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('\u0000', '\ufffd');
  if (Array.isArray(value)) return value.map(withoutNul);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [withoutNul(key), withoutNul(inner)]));
};
