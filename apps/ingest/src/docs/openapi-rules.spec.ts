import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { Parser } from '@asyncapi/parser';
import { asyncApiDocument } from '../testing/docs/asyncapi.js';
import { apiDocument } from '@turnkeeper/vendors';
import { describe, expect, it } from 'vitest';

const LINT_MS = 60_000;

type Document = ReturnType<typeof apiDocument>;

const redocly = async (document: Document): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
};

const spectral = async (document: Document): Promise<string[]> => {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']] });
  const problems = await linter.run(structuredClone(document));
  return problems.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`);
};

/** Neither errors nor warnings. */
describe.each([
  ['Redocly', redocly],
  ['Spectral', spectral],
] as const)('the OpenAPI document and the recommended rules of %s', (_, lint) => {
  it('agree', { timeout: LINT_MS }, async () => expect(await lint(apiDocument())).toEqual([]));

  it('are effective: an operation without a summary and an id is found', { timeout: LINT_MS }, async () => {
    const document = { ...apiDocument(), paths: { '/planted': { get: { responses: {} } } } };
    expect((await lint(document)).length).toBeGreaterThan(0);
  });
});

describe("the AsyncAPI document and its parser's rules", () => {
  const problemsOf = async (document: object): Promise<string[]> =>
    (await new Parser().validate(JSON.stringify(document))).map(({ code, message, path }) =>
      [code, message, path.join('/')].join(' '),
    );

  it('agree', { timeout: LINT_MS }, async () => {
    // A newer version of the specification is not a fault of the document.
    const isFault = (problem: string): boolean => !problem.startsWith('asyncapi-latest-version');
    expect((await problemsOf(asyncApiDocument())).filter(isFault)).toEqual([]);
  });

  it('are effective: an operation on no channel is found', { timeout: LINT_MS }, async () => {
    const problems = await problemsOf({ ...asyncApiDocument(), operations: { planted: { action: 'send' } } });
    expect(problems.length).toBeGreaterThan(0);
  });
});
