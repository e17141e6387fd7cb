import { createHash } from 'node:crypto';
import { hexEquals } from './hex.js';

/** How old, or how far ahead, a callback's stamp may be: ZEGOCLOUD's own tolerance for requests, 10 minutes. */
export const ZEGO_TOLERANCE_MS = 600_000;

/**
 * The `Signature` of a request to ZEGOCLOUD's server API, version 2.0: MD5 of the plain concatenation, lowercase hex
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

/** Of the years 2001 to 2286: a fixed length tells the stamp from the nonce beside it. */
const MILLISECONDS = /^\d{13}$/;

/** What of a callback is signed. The body is not: serve the route over TLS only, and take each nonce once. */
export interface ZegoCallbackStamp {
  readonly nonce: string;
  /** As it came; part of the signed text. */
  readonly timestamp: number | string;
}

const digest = (callbackSecret: string, { nonce, timestamp }: ZegoCallbackStamp): Buffer =>
  createHash('sha1')
    .update([callbackSecret, String(timestamp), nonce].sort().join(''))
    .digest();

/** The `Signature` of a callback: SHA-1 of secret, timestamp and nonce, sorted as texts and joined; lowercase hex. */
export const signZegoCallback = (callbackSecret: string, stamp: ZegoCallbackStamp): string =>
  digest(callbackSecret, stamp).toString('hex');

/**
 * Checks a callback's signature, then its age.
 *
 * @returns `stale` for a right signature whose stamp is over 10 minutes from `now`, or is not in milliseconds: were
 *   seconds taken as well, digits could move between stamp and nonce under the same signature
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
 * @returns `stale` for a right signature whose stamp is over 10 minutes from `now`
 */
export const verifyZegoRequest = (
  request: Parameters<typeof signZegoRequest>[0] & { readonly signature: string },
  now: Date,
): 'valid' | 'invalid' | 'stale' => {
  if (!hexEquals(Buffer.from(signZegoRequest(request), 'hex'), request.signature)) return 'invalid';
  return Math.abs(now.getTime() - request.timestampSeconds * 1_000) <= ZEGO_TOLERANCE_MS ? 'valid' : 'stale';
};
