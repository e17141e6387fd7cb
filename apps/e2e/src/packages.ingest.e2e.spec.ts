import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf, ProjectOfUser } from './harness/packages.js';
import { Stack } from './harness/stack.js';

/** What the program of each README prints, in its lines. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
  client: [
    '1 user I moved to Hue last month.',
    '2 assistant How do you like it?',
    '3 user It rains a lot.',
    'found: I moved to Hue last month.',
    'record: Linh prefers to be called in the morning.',
    'context: true',
    'error: 404 Append an event to it first.',
  ],
  'short-term-memory': [
    'USER: What is the capital of Andorra?',
    '',
    'ASSISTANT: The capital of Andorra is Andorra la Vella.',
    'assistant { tokens: 42 }',
    'The capital of Andorra is Andorra la Vella.',
  ],
  tools: [
    'Stored: Linh is allergic to peanuts.',
    '- Linh is allergic to peanuts.',
    'I see 1 messages. I see 3 messages.',
    "[ 'remember', 'recall', 'forget', 'getContext' ]",
    "[ { role: 'user', content: 'Hello!' } ] { role: 'user', content: 'Hello!' } []",
  ],
};

describe('the packages, installed from their tarballs into an empty project', () => {
  let stack: Stack;
  let project: ProjectOfUser;
  beforeAll(async () => {
    [stack, project] = await Promise.all([Stack.start({ worker: false }), ProjectOfUser.create()]);
  });
  afterAll(() => Promise.all([stack?.stop(), project?.remove()]));

  it('have no faults in their manifests and types', async () => {
    expect((await project.installed()).sort()).toEqual(Object.keys(PRINTED).sort());
    for (const tarball of project.tarballs) expect([tarball, await faultsOf(tarball)]).toEqual([tarball, []]);
  });

  it('do what their READMEs say', async () => {
    const programs: Record<string, Record<string, string>> = { ours: {}, frameworks: {} };
    for (const name of Object.keys(PRINTED)) {
      const { program, examples } = await project.samplesOf(name);
      const group = programs[name === 'tools' ? 'frameworks' : 'ours']!;
      group[name] = program;
      for (const [index, example] of examples.entries()) group[`${name}-${index}`] = example;
    }
    expect(await project.compile(programs['ours']!)).toBe('');
    expect(await project.compile(programs['frameworks']!, { skipLibCheck: true })).toBe('');
    const env = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_API_KEY: stack.api.apiKey ?? '' };
    for (const [name, printed] of Object.entries(PRINTED)) {
      expect((await project.run(name, env)).trim().split('\n')).toEqual(printed);
    }
  });
});
