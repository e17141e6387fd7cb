import { describe, expect, it } from 'vitest';
import { problemFaults } from './problem-wording.js';

const GOOD = {
  type: '/docs/errors#body.invalid',
  code: 'body.invalid',
  title: 'The body is not valid.',
  status: 400,
  detail: 'name is required.',
  field: 'name',
  rule: 'is required',
  next: 'Correct the fields in issues and send the request again.',
};

describe('the check of how problems are worded', () => {
  it('passes a problem that says the field, the rule and the next step', () => {
    expect(problemFaults(GOOD)).toEqual([]);
  });

  it.each([
    ['an operation id', { detail: 'The createMemory is not valid: name is required.' }, /names the operation/],
    [
      "a validator's phrase",
      { detail: 'Invalid input: expected string, received undefined.' },
      /speaks like a machine/,
    ],
    ['a pattern', { rule: 'must match pattern ^a$' }, /speaks like a machine/],
    ['a doubled sentence', { detail: 'The body is not valid: name.' }, /repeats the title/],
    ['a title that is no sentence', { title: 'body invalid' }, /no sentence/],
    ['no next step', { next: undefined }, /no next step/],
    ['no detail', { detail: undefined }, /no detail/],
    ['a rule that is no predicate', { rule: 'name required' }, /no predicate/],
    ['a field that is a sentence', { field: 'the name' }, /no name/],
    ['a type that opens another page', { type: 'urn:turnkeeper:error:body.invalid' }, /does not open/],
  ])('finds %s', (_, wrong, fault) => {
    expect(problemFaults({ ...GOOD, ...wrong }).join('\n')).toMatch(fault);
  });
});
