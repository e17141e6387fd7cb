import { isIP } from 'node:net';
import { z } from 'zod';

export const count = (fallback: number, min: number, max: number) => {
  const rule = `must be a whole number between ${min} and ${max}`;
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule).default(fallback);
};
export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
const isUrl = (value: string, protocols: readonly string[]): boolean =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);
export const url = (...protocols: string[]) =>
  z.string().refine((value) => isUrl(value, protocols), `must be a URL with ${protocols.join(' or ')}`);
/** One or more comma-separated URLs. */
export const urls = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => value.split(',').every((each) => isUrl(each.trim(), protocols)),
      `must be a URL with ${protocols.join(' or ')}, or several with commas between`,
    );
/** Comma-separated values. Default: none. */
export const list = (item: Pick<RegExp, 'test'>, rule: string) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((value) => value.trim() || []))
    .refine((values) => values.every((value) => item.test(value)), rule);

/** Bits of an address; 0 if it is none. */
const bitsOf = (address: string): number => ({ 0: 0, 4: 32, 6: 128 })[isIP(address) as 0 | 4 | 6];
const isRange = (value: string): boolean => {
  const [, address = '', bits = ''] = /^(.+)\/(\d{1,3})$/.exec(value) ?? [];
  return bitsOf(address) > 0 && Number(bits) <= bitsOf(address);
};
/** Comma-separated address ranges. Default: none. */
export const ranges = (rule: string, { addresses = false }: { readonly addresses?: boolean } = {}) =>
  list({ test: (value) => isRange(value) || (addresses && bitsOf(value) > 0) }, rule);

const KEY_RULE = 'must be 32 bytes in base64, as `openssl rand -base64 32` makes them';
const isSecretsKey = (text: string): boolean => /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
export const secretsKey = () => z.string().refine((text) => isSecretsKey(text.trim()), KEY_RULE);
export const secretsKeys = () =>
  z
    .string()
    .refine((text) => text.split(',').every((key) => isSecretsKey(key.trim())), `${KEY_RULE}, with commas between`);
