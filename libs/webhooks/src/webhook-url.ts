import { isIP } from 'node:net';
import { WebhookUrlRefused } from '@turnkeeper/domain';
import type { AddressGuard } from './address-guard.js';

export interface UrlPolicy {
  readonly guard: AddressGuard;
  /** Also accepts `http:`. Default: false. */
  readonly allowHttp?: boolean;
}

/** Maximum length of an endpoint's URL, in characters. */
const MAX_URL_LENGTH = 2_048;

export type UrlCheck =
  { readonly url: URL } | { readonly refused: 'invalid_url' | 'blocked_address'; readonly rule: string };

/**
 * Checks a URL by its text alone, without resolving or connecting. Numeric hosts in any notation (`0x7f.1`,
 * `017700000001`, full-width digits) are parsed by the same URL parser that is used to connect.
 *
 * Names that only this machine or its network can resolve (`localhost`, `*.internal`) are refused early as a
 * convenience; the actual protection is the check of the resolved address at connect time.
 */
export const checkWebhookUrl = (text: string, { guard, allowHttp = false }: UrlPolicy): UrlCheck => {
  const invalid = (rule: string): UrlCheck => ({ refused: 'invalid_url', rule });
  if (text.length > MAX_URL_LENGTH)
    return invalid(`must have at most ${MAX_URL_LENGTH.toLocaleString('en-US')} characters`);
  // The parser drops tabs and newlines and reads \ as /, so the target would differ from what people read.
  if (/[\s\\\p{Cc}]/u.test(text)) return invalid('must not contain spaces, control characters or backslashes');
  if (!URL.canParse(text)) return invalid('must be an absolute URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return invalid(allowHttp ? 'must begin with https:// or http://' : 'must begin with https://');
  }
  if (url.username !== '' || url.password !== '') return invalid('must not contain a user name or password');
  if (url.hash !== '') return invalid('must not contain a fragment');
  const port = url.port === '' ? null : Number(url.port);
  if (port !== null && port < 1_024 && port !== 80 && port !== 443)
    return invalid('must use port 80, 443, or 1024 and above');
  return blockedHost(url.hostname, guard) ?? { url };
};

const LOCAL_NAME = /(^|\.)(localhost|localdomain|internal|local|home\.arpa)$/;

const blockedHost = (hostname: string, guard: AddressGuard): UrlCheck | null => {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/(?<!\.)\.+$/, '');
  if (isIP(host) !== 0) {
    const refusal = guard.refusalOf(host);
    return refusal === null ? null : { refused: 'blocked_address', rule: `must be a public address, not ${refusal}` };
  }
  // If a private network is allowed, so are its names; their addresses are still checked.
  if (guard.publicOnly && LOCAL_NAME.test(host)) {
    return { refused: 'blocked_address', rule: 'must be a public name' };
  }
  return null;
};

/**
 * Returns the URL to store for an endpoint, normalized by the URL parser.
 *
 * @throws WebhookUrlRefused with the violated rule
 */
export const acceptWebhookUrl = (text: string, policy: UrlPolicy): string => {
  const check = checkWebhookUrl(text, policy);
  if ('url' in check) return check.url.href;
  throw new WebhookUrlRefused(check.rule);
};
