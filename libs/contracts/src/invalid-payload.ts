import { DomainError } from '@turnkeeper/domain';
import type { z } from 'zod';

export interface PayloadIssue {
  /** Where, e.g. `events.3.payload.message`; empty for the body itself. */
  readonly field: string;
  readonly rule: string;
}

/** Input that can never become valid by waiting. Carries fields and rules, never the offending values. */
export class InvalidPayload extends DomainError {
  readonly code = 'payload.invalid';
  readonly kind = 'invalid';
  constructor(
    readonly contract: string,
    readonly issues: readonly PayloadIssue[],
  ) {
    const [first] = issues;
    super(`The ${contract} is not valid: ${issues.map((i) => `${i.field || '(body)'} ${i.rule}`).join('; ')}.`, {
      ...(first === undefined ? {} : { field: first.field, rule: first.rule }),
      next: 'Correct the fields named in `issues` and send the request again.',
    });
  }
}

/** Most issues that are told about at once; a body with thousands of faults gets the first ones. */
const MAX_ISSUES = 20;

/** Parses untrusted input into the type that the inside uses, or refuses it with every field at fault. */
export const parseOrRefuse = <T>(contract: string, schema: z.ZodType<T>, input: unknown): T => {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new InvalidPayload(contract, flatten(result.error.issues).slice(0, MAX_ISSUES));
};

const flatten = (issues: readonly z.core.$ZodIssue[], prefix: readonly PropertyKey[] = []): PayloadIssue[] =>
  issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: [...path, key].map(String).join('.'), rule: 'is not a known field' }));
    }
    return [{ field: path.map(String).join('.'), rule: ruleOf(issue) }];
  });

const ruleOf = (issue: z.core.$ZodIssue): string => {
  const { message } = issue;
  return message.charAt(0).toLowerCase() + message.slice(1);
};
