import { DomainError } from '@turnkeeper/domain';
import type { z } from 'zod';
import { fieldOf, wordingOf } from './wording.js';

export interface PayloadIssue {
  /** The field as it was sent, e.g. `events.3.payload.message`; empty for the body or the query itself. */
  readonly field: string;
  /** What is said about it: `is required`, `must be between 5 and 200`. */
  readonly rule: string;
}

/** Input that can never become valid by waiting. Carries fields and rules, never the offending values. */
export class InvalidPayload extends DomainError {
  readonly code = 'payload.invalid';
  readonly kind = 'invalid';
  /** @param part what was sent: `body`, `query`, `line`, or the name of one value */
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

/** Most issues that are told about at once; a body with thousands of faults gets the first ones. */
const MAX_ISSUES = 20;
/** Parts of a request that are not fields themselves. */
const WHOLES: ReadonlySet<string> = new Set(['body', 'query', 'line']);

/**
 * Parses untrusted input into the type that the inside uses, or refuses it with every field at fault.
 *
 * @param part `body`, `query` or `line`; else the path of the value, which then begins the name of each field
 */
export const parseOrRefuse = <T>(part: string, schema: z.ZodType<T>, input: unknown): T => {
  const result = schema.safeParse(input, { error: wordingOf });
  if (result.success) return result.data;
  const prefix = WHOLES.has(part) ? [] : [part];
  throw new InvalidPayload(part, flatten(result.error.issues, prefix).slice(0, MAX_ISSUES));
};

const flatten = (issues: readonly z.core.$ZodIssue[], prefix: readonly PropertyKey[]): PayloadIssue[] =>
  issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: fieldOf([...path, key]), rule: 'is not a known field' }));
    }
    return [{ field: fieldOf(path), rule: issue.message }];
  });
