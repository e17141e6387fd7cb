import { describe, expect, it } from 'vitest';
import { isRefused } from './planted-violation.mjs';

const output = `
> eslint src --max-warnings 0

/copy/libs/domain/src/planted-circle.ts
  1:1  error  Circular dependency between "a" and "b" detected

/copy/libs/domain/src/planted-package.ts
  1:1  error  'planted' is defined but never used

✖ 2 problems (2 errors, 0 warnings)
`;

describe('a planted violation', () => {
  it('is detected if lint names its file and the reason', () => {
    expect(isRefused(output, { file: 'libs/domain/src/planted-circle.ts', says: 'Circular dependency' })).toBe(true);
  });
  it('is missed if lint rejects its file for another reason', () => {
    expect(isRefused(output, { file: 'libs/domain/src/planted-package.ts', says: 'Circular dependency' })).toBe(false);
  });
  it('is missed if lint does not name its file', () => {
    expect(isRefused(output, { file: 'apps/ingest/src/planted-app.ts', says: 'Circular dependency' })).toBe(false);
  });
});
