import { stampMs } from '../session/stamp.js';

/** 2000-01-01: no voice platform has earlier calls, so smaller values are not times. */
const EARLIEST_MS = 946_684_800_000;
/** A vendor's clock may be ahead of ours by this much. */
const AHEAD_MS = 86_400_000;

/**
 * A vendor's time of a call (ISO 8601).
 *
 * @param stamp milliseconds or seconds since 1970, as received
 * @returns undefined if it is missing or cannot be the time of a call
 */
export const vendorTime = (stamp: unknown, now: Date): string | undefined => {
  if (typeof stamp !== 'number' || !Number.isFinite(stamp)) return undefined;
  const ms = Math.trunc(stampMs(stamp));
  return ms < EARLIEST_MS || ms > now.getTime() + AHEAD_MS ? undefined : new Date(ms).toISOString();
};
