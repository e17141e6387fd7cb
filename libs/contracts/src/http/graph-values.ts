import { isLongInteger } from '@turnkeeper/domain';
import { z } from 'zod';
import { isDouble } from './common.js';

/** Postgres can store neither NUL nor half of a surrogate pair in JSON. */
const isStorable = (value: string, most: number): boolean =>
  isLongInteger(value) ? isDouble(value) : value.length <= most && !value.includes('\u0000') && value.isWellFormed();

export type Scalar = string | number | boolean | null;

const MAX_KEYS = 10_000;
/** Maximum length of a key and of a text, in characters. */
const MAX_KEY = 1_024;
const MAX_TEXT = 4_096;

export const isScalar = (value: unknown): value is Scalar =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && isStorable(value, MAX_TEXT));

/**
 * An object with keys chosen by the client. Errors name the whole object, because a key may hold anything.
 *
 * @param rule what a value must be, for the error
 */
export const recordOf = <T>(isValue: (value: unknown) => value is T, rule: string) =>
  z
    .custom<Record<string, T>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be an object',
    )
    .refine(
      (value) =>
        Object.keys(value).length <= MAX_KEYS &&
        Object.entries(value).every(([key, inner]) => isStorable(key, MAX_KEY) && isValue(inner)),
      `must have at most ${MAX_KEYS.toLocaleString('en-US')} keys of at most ${MAX_KEY.toLocaleString('en-US')} characters, and as values ${rule}, without NUL and in well-formed Unicode`,
    )
    .meta({ type: 'object' });

/** Scalars by key. */
export const scalarRecord = recordOf(
  isScalar,
  `texts of at most ${MAX_TEXT.toLocaleString('en-US')} characters, numbers, booleans or null`,
);

/** Whether every text in a JSON value can be stored. */
export const isStorableJson = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorable(value, Number.POSITIVE_INFINITY);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, inner]) => isStorable(key, Number.POSITIVE_INFINITY) && isStorableJson(inner),
  );
};
