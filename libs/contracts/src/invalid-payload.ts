import { DomainError } from '@turnkeeper/domain';
import type { z } from 'zod';
import { fieldOf, wordingOf } from './wording.js';

export interface PayloadIssue {
  /** Path of the field as sent, e.g. `events.3.payload.message`; empty for the whole body or query. */
  readonly field: string;
  /** The violated rule, e.g. `is required`, `must be between 5 and 200`. */
  readonly rule: string;
}

/** The input is invalid, and retrying cannot help. Contains fields and rules, never the offending values. */
export class InvalidPayload extends DomainError {
  readonly code = 'payload.invalid';
  readonly kind = 'invalid';
  /** @param part what was parsed: `body`, `query`, `line`, or the name of a single value */
  constructor(
    part: string,
    readonly issues: readonly PayloadIssue[],
  ) {
    const [first] = issues;
    super(`${issues.map(({ field, rule }) => `${field === '' ? `The ${part}` : field} ${rule}`).join('; ')}.`, {
      title: 'The request is not valid.',
      ...(first === undefined ? {} : { field: first.field, rule: first.rule }),
      next: 'Correct the fields named in `issues` and send the request again.',
    });
  }
}

/** Maximum number of reported issues; the rest are left out. */
const MAX_ISSUES = 20;
/** Parts of a request that are not fields. */
const WHOLES: ReadonlySet<string> = new Set(['body', 'query', 'line']);

/**
 * Parses untrusted input. Throws `InvalidPayload` with every invalid field.
 *
 * @param part `body`, `query` or `line`; otherwise the path of the value, used as a prefix of each field
 */
export const parseOrRefuse = <T>(part: string, schema: z.ZodType<T>, input: unknown): T => {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  // Again for the wording: with it, parsing takes three times as long, and most input is valid.
  const { error } = schema.safeParse(input, { error: wordingOf });
  const prefix = WHOLES.has(part) ? [] : [part];
  throw new InvalidPayload(part, flatten(error?.issues ?? [], prefix).slice(0, MAX_ISSUES));
};

const flatten = (issues: readonly z.core.$ZodIssue[], prefix: readonly PropertyKey[]): PayloadIssue[] =>
  issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: fieldOf([...path, key]), rule: 'is not a known field' }));
    }
    return [{ field: fieldOf(path), rule: issue.message }];
  });
