/** Longer waits are capped, because the window would appear to be lost. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Parses a `Retry-After` header (RFC 9110, 10.2.3): whole seconds or an HTTP date.
 *
 * @param now milliseconds since 1970
 * @returns milliseconds, 0 to one hour; null if the header is absent or invalid
 */
export const retryAfterMs = (header: string | null, now: number): number | null => {
  const value = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(value)) return Math.min(Number(value) * 1_000, LONGEST_WAIT_MS);
  // Only RFC 9110's date format: `Date.parse` alone would also accept forms such as "5e3" or "yesterday-ish".
  if (!/^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), LONGEST_WAIT_MS);
};
