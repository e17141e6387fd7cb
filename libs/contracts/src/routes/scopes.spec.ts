import { describe, expect, it } from 'vitest';
import { ROUTES, routes } from './index.js';
import { allowsScope, APPLICATION_SCOPES, scopesAllowedBy, SCOPES } from './scopes.js';

const mayCall = (scopes: readonly string[]): string[] =>
  ROUTES.flatMap(({ id, scope }) => (scope !== null && allowsScope(scopes, scope) ? [id] : []));

describe('the scopes of a key', () => {
  it('memory:read and memory:write allow what they allowed before there were narrower ones', () => {
    expect(scopesAllowedBy(['memory:read'])).toEqual(['memory:read', 'memory:export']);
    expect(scopesAllowedBy(['memory:write'])).toEqual([
      'memory:write',
      'memory:configure',
      'memory:delete',
      'memory:import',
    ]);
    expect(mayCall(['memory:read'])).toContain('exportMemory');
    const written = ['deleteActorEverywhere', 'importMemory', 'changeMemory', 'deleteStrategy', 'appendEvents'];
    expect(mayCall(['memory:write'])).toEqual(expect.arrayContaining(written));
  });

  it('content:read and content:write allow no export, import, deletion or settings', () => {
    const allowed = mayCall(['content:read', 'content:write']);
    expect(allowed).toEqual(expect.arrayContaining(['appendEvents', 'buildContext', 'getMemory', 'insertRecords']));
    expect(allowed).not.toEqual(expect.arrayContaining(['exportMemory']));
    for (const id of allowed) {
      expect(routes[id as keyof typeof routes].method, id).not.toBe('DELETE');
      expect([
        'exportMemory',
        'importMemory',
        'createMemory',
        'changeMemory',
        'addStrategy',
        'deleteRecords',
      ]).not.toContain(id);
    }
  });

  it('each narrower scope allows its own routes only', () => {
    expect(mayCall(['memory:export'])).toEqual(['exportMemory']);
    expect(mayCall(['memory:import'])).toEqual(['importMemory']);
    expect(mayCall(['memory:configure']).sort()).toEqual([
      'addStrategy',
      'changeMemory',
      'changeStrategy',
      'createMemory',
    ]);
    expect(mayCall(['memory:delete']).every((id) => id.startsWith('delete'))).toBe(true);
    const deleting = ROUTES.filter(
      ({ id, tag, scope }) => id.startsWith('delete') && scope?.startsWith('memory:') && tag !== '',
    );
    expect(mayCall(['memory:delete']).sort()).toEqual(deleting.map(({ id }) => id).sort());
  });

  it('of an application are by default those of before, which say all it may do with memories', () => {
    expect(APPLICATION_SCOPES.every((scope) => SCOPES.includes(scope))).toBe(true);
    expect(scopesAllowedBy(APPLICATION_SCOPES)).toEqual(
      expect.arrayContaining(['memory:delete', 'memory:export', 'memory:import', 'memory:configure']),
    );
    expect(scopesAllowedBy(APPLICATION_SCOPES)).not.toContain('admin');
  });
});
