import { createHash } from 'node:crypto';
import { hexEquals } from '../shared/hex.js';

/** Maximum difference between a callback's timestamp and now: 10 minutes, as ZEGOCLOUD allows for requests. */
const ZEGO_TOLERANCE_MS = 600_000;

/**
 * The `Signature` of a request to ZEGOCLOUD's server API, version 2.0: MD5 of the concatenated fields, lowercase hex
 * (ZEGOCLOUD docs, "Server API, signature").
 *
 * @param timestampSeconds seconds since 1970
 */
export const signZegoRequest = (request: {
  readonly appId: number;
  readonly nonce: string;
  readonly serverSecret: string;
  readonly timestampSeconds: number;
}): string =>
  createHash('md5')
    .update(`${request.appId}${request.nonce}${request.serverSecret}${request.timestampSeconds}`)
    .digest('hex');

/** Milliseconds of the years 2001 to 2286: the fixed length separates the timestamp from the adjacent nonce. */
const MILLISECONDS = /^\d{13}$/;

/**
 * The signed part of a callback. The body is not signed: serve the route over TLS only, and accept each nonce once.
 */
export interface ZegoCallbackStamp {
  readonly nonce: string;
  /** As received; part of the signed text. */
  readonly timestamp: number | string;
}

const digest = (callbackSecret: string, { nonce, timestamp }: ZegoCallbackStamp): Buffer =>
  createHash('sha1')
    .update([callbackSecret, String(timestamp), nonce].sort().join(''))
    .digest();

/**
 * The `Signature` of a callback: SHA-1 of secret, timestamp and nonce, sorted as text and concatenated; lowercase hex.
 */
export const signZegoCallback = (callbackSecret: string, stamp: ZegoCallbackStamp): string =>
  digest(callbackSecret, stamp).toString('hex');

/**
 * Checks a callback's signature, then its age.
 *
 * @returns `stale` for a valid signature whose timestamp is more than 10 minutes from `now` or not in milliseconds: if
 * seconds were accepted too, digits could be moved between timestamp and nonce under the same signature
 */
export const verifyZegoCallback = (
  secrets: readonly string[],
  stamp: ZegoCallbackStamp & { readonly signature: string | undefined },
  now: Date,
): 'valid' | 'invalid' | 'stale' => {
  const signed = secrets.some((secret) => secret !== '' && hexEquals(digest(secret, stamp), stamp.signature));
  if (!signed) return 'invalid';
  if (!MILLISECONDS.test(String(stamp.timestamp))) return 'stale';
  return Math.abs(now.getTime() - Number(stamp.timestamp)) <= ZEGO_TOLERANCE_MS ? 'valid' : 'stale';
};

/**
 * Checks the signature of a request to the server API, then its age.
 *
 * @returns `stale` for a valid signature whose timestamp is more than 10 minutes from `now`
 */
export const verifyZegoRequest = (
  request: Parameters<typeof signZegoRequest>[0] & { readonly signature: string },
  now: Date,
): 'valid' | 'invalid' | 'stale' => {
  if (!hexEquals(Buffer.from(signZegoRequest(request), 'hex'), request.signature)) return 'invalid';
  return Math.abs(now.getTime() - request.timestampSeconds * 1_000) <= ZEGO_TOLERANCE_MS ? 'valid' : 'stale';
};
