import { describe, expect, it } from 'vitest';
import { allInstructions, commandOf, parseDockerfile } from './dockerfile.mjs';

const text = `# syntax=docker/dockerfile:1
FROM node:22.23.2 AS base
RUN one && \\
  two
# a comment
FROM base AS app
CMD ["node", "main.js"]
`;

describe('reading a Dockerfile', () => {
  it('joins continued lines and removes comments', () => {
    expect(parseDockerfile(text)[0]).toEqual({
      name: 'base',
      from: 'node:22.23.2',
      instructions: [{ verb: 'RUN', text: 'one && two' }],
    });
  });
  it('follows a stage to its base', () => {
    const stages = parseDockerfile(text);
    expect(allInstructions(stages, 'app').map(({ verb }) => verb)).toEqual(['RUN', 'CMD']);
    expect(commandOf(stages, 'app')).toEqual(['node', 'main.js']);
  });
  it('rejects unknown instructions', () =>
    expect(() => parseDockerfile('FROM a AS b\nADD x y')).toThrow('Not understood: ADD x y'));
});
