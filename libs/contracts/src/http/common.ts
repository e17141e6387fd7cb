import { isLongInteger, plainText, writeJson } from '@turnkeeper/domain';
import { z } from 'zod';

/** Postgres text cannot hold NUL, so it is rejected during validation. */
const NO_NUL_RULE = 'must not contain the NUL character';
const noNul = (value: string): boolean => !value.includes('\u0000');

/** Text. An integer beyond 2^53 is accepted as its digits: ids of voice platforms are sent as either. */
export const anyText = () => z.string().overwrite(plainText);

export const text = (max: number, min = 0) =>
  anyText()
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must have at most ${max.toLocaleString('en-US')} characters`)
    .refine(noNul, NO_NUL_RULE);

/** Text that holds more than white space. */
export const words = (max: number) =>
  text(max, 1).refine((value) => value === '' || value.trim() !== '', 'must not be blank');

export const uuid = z.uuid('must be a UUID');

/**
 * Actor and session ids are chosen by the client; 1–255 characters (AgentCore's limit for an actor id). Lone surrogates
 * are rejected because two ids that differ only in one would be equal in the database. `.` and `..` are rejected because
 * HTTP clients resolve them in a path, even when escaped, so nothing stored under them could be read or erased.
 */
const freeId = text(255, 1)
  .refine((value) => value !== '.' && value !== '..', 'must not be . or .., which are steps of a path')
  .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters')
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode, without half of a surrogate pair');
export const actorId = freeId;
export const sessionId = freeId;

/** Years 1 to 9999 in UTC and offsets under 16 hours: RFC 3339 allows more, Postgres does not. */
const isStorable = (value: string): boolean => {
  const at = Date.parse(value);
  const [, hours = '0'] = /[+-](\d\d):\d\d$/.exec(value) ?? [];
  return at >= Date.parse('0001-01-01T00:00:00Z') && at <= Date.parse('9999-12-31T23:59:59.999Z') && Number(hours) < 16;
};
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time with a time zone', abort: true })
  .refine(isStorable, 'must be within the years 1 to 9999, with a time zone within 16 hours of UTC');

const NOT_BASE64 = /[^A-Za-z0-9+/]/;
/** Searches for one invalid character: a pattern over the whole text would need a stack as deep as the text is long. */
const isBase64 = (value: string): boolean => {
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  return value.length % 4 === 0 && !NOT_BASE64.test(value.slice(0, value.length - padding));
};

/** About 10 MiB, base64-encoded. */
const MAX_BINARY_LENGTH = 14_000_000;
/** Bytes as base64 (RFC 4648, section 4), with padding. */
export const base64 = z
  .string()
  .max(MAX_BINARY_LENGTH, {
    error: `must have at most ${MAX_BINARY_LENGTH.toLocaleString('en-US')} base64 characters`,
    abort: true,
  })
  .refine(isBase64, 'must be base64')
  .meta({ contentEncoding: 'base64' });

/** Whether a number, or a long integer, is within the range of a double. Postgres has a limit beyond it. */
export const isDouble = (value: unknown): boolean =>
  Number.isFinite(typeof value === 'string' ? Number(plainText(value)) : value);

const MAX_DEPTH = 16;
const MAX_KEY_LENGTH = 1_000;
/** The first rule that free JSON violates, worded for people; null if it can be stored unchanged. */
const ruleAgainst = (value: unknown, depth = 0): string | null => {
  // JSON.parse reads 1e400 as Infinity, which would be stored as null.
  if (typeof value === 'number' || isLongInteger(value)) {
    return isDouble(value) ? null : 'must have no number beyond 1.8e308';
  }
  if (typeof value === 'string') return noNul(value) ? null : NO_NUL_RULE;
  if (value === null || typeof value !== 'object') return null;
  if (depth >= MAX_DEPTH) return `must be at most ${MAX_DEPTH} levels deep`;
  for (const [key, inner] of Object.entries(value)) {
    if (key.length > MAX_KEY_LENGTH)
      return `must have keys of at most ${MAX_KEY_LENGTH.toLocaleString('en-US')} characters`;
    const rule = noNul(key) ? ruleAgainst(inner, depth + 1) : NO_NUL_RULE;
    if (rule !== null) return rule;
  }
  return null;
};

/** Maximum length of free key-value pairs, in characters of their JSON. */
export const MAX_JSON_CHARACTERS = 262_144;
export const jsonLength = (value: unknown): number => (value === undefined ? 0 : writeJson(value).length);

/** Whether a value is JSON that can be stored: without NUL characters and not too deep. Its size is not checked. */
export const isStorableJson = (value: unknown): boolean => ruleAgainst(value) === null;

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

const freeObject = z.custom<{ [key: string]: JsonValue }>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** Arbitrary key-value pairs of any size, stored unchanged; at most 16 levels deep. For what was accepted before. */
export const storedJsonObject = freeObject.superRefine((value, context) => {
  const message = ruleAgainst(value);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const MAX_JSON = MAX_JSON_CHARACTERS.toLocaleString('en-US');
const sizeRule = (value: unknown): string | null =>
  jsonLength(value) <= MAX_JSON_CHARACTERS ? null : `must have at most ${MAX_JSON} characters as JSON`;

/** Arbitrary key-value pairs, stored unchanged; at most 16 levels deep, and 262,144 characters as JSON. */
export const jsonObject = freeObject
  .superRefine((value, context) => {
    const message = ruleAgainst(value) ?? sizeRule(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .meta({
    type: 'object',
    description: `Free keys and values; at most ${MAX_DEPTH} levels deep and ${MAX_JSON} characters as JSON.`,
  });

/** An empty list is rejected, because OpenAI's API rejects messages that have one. */
export const toolCalls = z
  .array(jsonObject)
  .min(1, 'must have at least one call, or be left out')
  .max(128, 'must have at most 128 calls');

/** Default page size of every list in Turnkeeper's own routes. */
export const DEFAULT_LIMIT = 100;
export const listLimit = (most = DEFAULT_LIMIT) => z.coerce.number().int().min(1).max(most).default(DEFAULT_LIMIT);
/** `next` of the previous page. Opaque to clients. */
export const listCursor = text(2_048, 1).optional().describe('`next` of the previous page.');
export const listQuery = z.strictObject({ limit: listLimit(1_000), after: listCursor });

/** AgentBase's `?page=&size=`: pages from 1, at most 100 rows, offset at most 5,000 rows. */
export const MAX_PAGE_OFFSET = 5_000;
const pageFields = (maxSize: number) => ({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(maxSize).default(10),
});
const withinOffset = ({ page, size }: { readonly page: number; readonly size: number }): boolean =>
  (page - 1) * size <= MAX_PAGE_OFFSET;
const TOO_DEEP = {
  path: ['page'],
  error: `must keep (page-1)*size at or below ${MAX_PAGE_OFFSET}; page with \`after\` beyond it`,
};

export const pageQuery = (maxSize: number) => z.strictObject(pageFields(maxSize)).refine(withinOffset, TOO_DEEP);

/**
 * Adds a cursor to the page query: rows after this id, in the listing's order. Replaces `page`, and has no depth limit.
 */
export const cursorQuery = <T extends z.ZodType>(maxSize: number, after: T) =>
  z.strictObject({ ...pageFields(maxSize), after: after.optional() }).refine(withinOffset, TOO_DEEP);
