/** Decodes a body. A deleted body reads as an empty object, because only its arrival still matters. */
export const textOf = (body: Uint8Array | null): string => (body === null ? '{}' : new TextDecoder().decode(body));

/** Postgres text cannot store NUL. Replacing it costs one character instead of the message. */
export const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('\u0000', '\ufffd');
  if (Array.isArray(value)) return value.map(withoutNul);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [withoutNul(key), withoutNul(inner)]));
};
