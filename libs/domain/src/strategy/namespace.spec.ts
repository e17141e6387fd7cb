import { describe, expect, it } from 'vitest';
import {
  assertNamespaceTemplate,
  DEFAULT_NAMESPACE_TEMPLATE,
  resolveNamespace,
  UnknownNamespaceVariable,
} from './namespace.js';

const VALUES = { memoryStrategyId: 's1', actorId: 'ada', sessionId: 'monday' };
const resolve = (template: string, values: Partial<typeof VALUES> = {}) =>
  resolveNamespace(template, { ...VALUES, ...values });

describe('a namespace', () => {
  it.each([
    [DEFAULT_NAMESPACE_TEMPLATE, '/strategies/s1/actors/ada'],
    ['/{actorId}/{sessionId}/{actorId}', '/ada/monday/ada'],
    ['/everybody', '/everybody'],
    ['', ''],
  ])('is the template with its values: %s', (template, namespace) => {
    expect(resolve(template)).toBe(namespace);
  });

  it.each([
    ['a slash', 'a/sessions/b'],
    ['a slash in disguise', 'a%2Fsessions%2Fb'],
    ['a variable', '{sessionId}'],
    ['a pattern of replace', '$&$1'],
  ])('cannot be that of another actor: %s', (_, actorId) => {
    const mine = resolve('/{actorId}/sessions/{sessionId}', { actorId });
    expect(mine.split('/')).toHaveLength(4);
    expect(mine).not.toBe(resolve('/{actorId}/sessions/{sessionId}', { actorId: 'a', sessionId: 'b' }));
  });

  it('differs for every two actors', () => {
    const actors = ['a', 'A', 'a/', 'a%2F', '/a', '', ' ', 'a b', '%', '%25', '$&', '{actorId}', 'ä', 'a\u0308'];
    expect(new Set(actors.map((actorId) => resolve('/{actorId}', { actorId }))).size).toBe(actors.length);
  });
});

describe('a namespace template', () => {
  it.each(['', '/x', DEFAULT_NAMESPACE_TEMPLATE, '{actorId}{sessionId}'])('may be %s', (template) => {
    expect(() => assertNamespaceTemplate(template, 'f')).not.toThrow();
  });

  it.each(['/{actor}', '/{}', '/{actorId', '/actorId}', '/{{actorId}}', '/{actorid}', '/{constructor}', '}{'])(
    'may not be %s, which nothing fills in',
    (template) => {
      expect(() => assertNamespaceTemplate(template, 'longTermMemoryStrategies.0.namespaceTemplate')).toThrow(
        expect.objectContaining({
          name: UnknownNamespaceVariable.name,
          code: 'strategy.unknown_namespace_variable',
          details: expect.objectContaining({ field: 'longTermMemoryStrategies.0.namespaceTemplate' }),
        }),
      );
    },
  );
});
