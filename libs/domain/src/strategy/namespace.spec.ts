import { describe, expect, it } from 'vitest';
import {
  actorOfNamespace,
  AdjacentNamespaceVariables,
  assertNamespaceTemplate,
  DEFAULT_NAMESPACE_TEMPLATE,
  isNamespaceOf,
  isNamespaceOfOnly,
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

  it('differs for any two actors', () => {
    const actors = ['a', 'A', 'a/', 'a%2F', '/a', '', ' ', 'a b', '%', '%25', '$&', '{actorId}', 'ä', 'a\u0308'];
    expect(new Set(actors.map((actorId) => resolve('/{actorId}', { actorId }))).size).toBe(actors.length);
  });
});

describe('a namespace template', () => {
  it.each(['', '/x', DEFAULT_NAMESPACE_TEMPLATE, '{actorId}-{sessionId}'])('may be %s', (template) => {
    expect(() => assertNamespaceTemplate(template, 'f')).not.toThrow();
  });

  it.each(['/{actor}', '/{}', '/{actorId', '/actorId}', '/{{actorId}}', '/{actorid}', '/{constructor}', '}{'])(
    'may not be %s, because its variable is unknown',
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

describe('two variables side by side', () => {
  it.each(['{actorId}{sessionId}', '/a/{actorId}{actorId}', '{actorId}{actorId}{actorId}{actorId}X'])(
    'are refused: %s',
    (template) => {
      expect(() => assertNamespaceTemplate(template, 'f')).toThrow(AdjacentNamespaceVariables);
    },
  );
});

describe('parsing a namespace', () => {
  const strategies = (...templates: string[]) =>
    templates.map((namespaceTemplate, at) => ({ strategyId: `s${at}`, namespaceTemplate }));

  it.each([
    ['/facts/{actorId}', '/facts/ada', 'ada'],
    ['/facts/{actorId}', '/facts/a%2Fb%25', 'a/b%'],
    ['/facts/{actorId}', '/facts/ada/more', null],
    ['/facts/{actorId}', '/facts/', null],
    ['/{memoryStrategyId}/{actorId}', '/s0/ada', 'ada'],
    ['/{memoryStrategyId}/{actorId}', '/s1/ada', null],
    ['/{actorId}/{sessionId}/{actorId}', '/ada/x/ada', 'ada'],
    ['/{actorId}/{sessionId}/{actorId}', '/ada/x/eve', null],
    ['u-{actorId}-s-{sessionId}.', 'u-ada-s-7.', 'ada'],
    ['/a.c/{actorId}', '/abc/ada', null],
    ['/everybody', '/everybody', null],
    // From templates stored before these were rejected: the end of the first value is ambiguous.
    ['{actorId}{sessionId}', 'ada7', null],
  ])('%s gives %s for the actor %s', (template, namespace, actor) => {
    expect(actorOfNamespace(strategies(template), namespace)).toBe(actor);
  });

  it('uses the first strategy whose template matches', () => {
    expect(actorOfNamespace(strategies('/everybody', '/a/{actorId}', '/a/{sessionId}'), '/a/ada')).toBe('ada');
  });

  it('returns the actor it was built for, and no other', () => {
    const templates = [
      '/f/{actorId}',
      '{actorId}',
      '/{sessionId}-{actorId}',
      '/{actorId}-{sessionId}/x',
      '{actorId}{sessionId}',
    ];
    const actors = ['ada', 'bob', 'a/b', 'a%2Fb', '%', 'x-y'];
    for (const template of templates) {
      for (const actorId of actors) {
        const namespace = resolve(template, { actorId, memoryStrategyId: 's0' });
        expect(isNamespaceOf(strategies(template), namespace, { actorId }), `${template} ${actorId}`).toBe(true);
        expect(isNamespaceOf(strategies(template), namespace, { actorId: 'eve' }), `${template} ${actorId}`).toBe(
          false,
        );
      }
    }
    const mayReach = (template: string, namespace: string) =>
      isNamespaceOf(strategies(template), namespace, { actorId: 'ada', sessionId: 'monday' });
    expect(mayReach('/everybody', '/everybody')).toBe(true);
    expect(mayReach('/everybody', '/elsewhere')).toBe(false);
    expect(mayReach('/calls/{sessionId}', '/calls/monday')).toBe(true);
    expect(mayReach('/calls/{sessionId}', '/calls/tuesday')).toBe(false);
    expect(mayReach('/{actorId}/{sessionId}', '/ada/tuesday')).toBe(true);
  });

  it.each([
    [['/facts/{actorId}'], '/facts/ada', true],
    [['/facts/{actorId}'], '/facts/bob', false],
    [['/{actorId}/{sessionId}'], '/ada/monday', true],
    [['/everybody'], '/everybody', false],
    [['/calls/{sessionId}'], '/calls/ada', false],
    // Another strategy files records of any actor there.
    [['/facts/{actorId}', '/facts/{sessionId}'], '/facts/ada', false],
    [['/{actorId}', '/everybody'], '/everybody', false],
    // Also that of the actor `ada-b` in the session `7`.
    [['/{actorId}-{sessionId}'], '/ada-b-7', false],
    [['/facts/{actorId}'], '/elsewhere/ada', false],
  ])('%j: %s is of ada only: %s', (templates, namespace, expected) => {
    expect(isNamespaceOfOnly(strategies(...templates), namespace, 'ada')).toBe(expected);
  });

  it('takes linear time for every template', () => {
    const hostile = [
      '{actorId}'.repeat(4) + 'X',
      '{actorId}a{actorId}a{actorId}a{sessionId}aX',
      '{actorId}a{sessionId}aX',
    ];
    const before = process.cpuUsage();
    for (const template of hostile) {
      expect(actorOfNamespace(strategies(template), 'a'.repeat(100_000))).toBeNull();
      expect(isNamespaceOf(strategies(template), 'a'.repeat(100_000), { actorId: 'a' })).toBe(false);
    }
    const { user, system } = process.cpuUsage(before);
    // Backtracking would take years; one second is a hundred times the usual duration.
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});
