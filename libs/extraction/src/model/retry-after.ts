/** A server that asks for more is not believed: the window would look lost. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * The wait a `Retry-After` header asks for (RFC 9110, 10.2.3): whole seconds or an HTTP date.
 *
 * @param now milliseconds since 1970
 * @returns milliseconds, 0 to one hour; null when the header is missing or makes no sense
 */
export const retryAfterMs = (header: string | null, now: number): number | null => {
  const value = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(value)) return Math.min(Number(value) * 1_000, LONGEST_WAIT_MS);
  // Only the date form RFC 9110 wants; Date.parse alone would take "5e3" or "yesterday-ish" forms too.
  if (!/^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), LONGEST_WAIT_MS);
};
