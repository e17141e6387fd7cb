import { expect, it } from 'vitest';
import { agoraJoinBody } from './bodies.js';
import { fillTemplate } from './template.js';

it('fills the variables of a template, in any text, and leaves what is unknown', () => {
  const variables = { name: 'Anh $&', count: 3, 'is-new': false };
  expect(fillTemplate('{{name}} has {{ count }} calls ({{is-new}}), {{name}}.', variables)).toBe(
    'Anh $& has 3 calls (false), Anh $&.',
  );
  expect(fillTemplate('{{toString}} {{other}} {name} {{ }} {{{{', variables)).toBe(
    '{{toString}} {{other}} {name} {{ }} {{{{',
  );
});

it('refuses variables that cannot be filled in', () => {
  const issuesWith = (template_variables: unknown) =>
    agoraJoinBody.safeParse({ name: 'desk-1', properties: { llm: { template_variables } } }).error?.issues;
  expect(issuesWith({ name: { first: 'Anh' } })).toMatchObject([
    { path: ['properties', 'llm', 'template_variables', 'name'], message: 'must be a text, a number or a boolean' },
  ]);
  expect(issuesWith({ name: 'Anh', count: 3 })).toBeUndefined();
});
