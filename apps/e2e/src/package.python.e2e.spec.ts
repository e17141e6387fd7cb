import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ShortTermMemory } from '@turnkeeper/short-term-memory';
import { afterAll, describe, expect, it } from 'vitest';
import { PythonPackage, type PythonTest } from './harness/python-package.js';
import { Stack } from './harness/stack.js';

const python = await PythonPackage.install();
afterAll(() => python.remove());

/** Run before the tests of this file are known: each test of pytest is one of them. */
const outcomesOfPytest = async (): Promise<PythonTest[]> => {
  const stack = await Stack.start();
  try {
    return await python.test({ TURNKEEPER_URL: stack.api.url, TURNKEEPER_API_KEY: stack.api.apiKey ?? '' });
  } finally {
    await stack.stop();
  }
};

const outcomes = await outcomesOfPytest();

describe('the Python package, installed from its wheel', () => {
  it.each(outcomes.map((test) => [test.name, test] as const))('%s', (_, { outcome, text }) => {
    expect(outcome, text).toBe('passed');
  });
});

describe('a SQLite file', () => {
  const PROGRAM = `
import json, sys
from turnkeeper.sqlite_memory import SQLiteShortTermMemory
with SQLiteShortTermMemory(sys.argv[1]) as memory:
    for role, content, metadata in json.loads(sys.argv[2]):
        memory.add_memory("s", role, content, metadata)
    answers = [memory.get_exact_match_answer("Đâu?", prefer=prefer) for prefer in ("oldest", "newest")]
    print(json.dumps([memory.get_context("s", 100), memory.format_as_string("s", 100), answers]))
`;

  it('written by TypeScript and Python in turn reads alike in both', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnkeeper-shared-file-'));
    const file = join(folder, 'memory.db');
    const memory = new ShortTermMemory(file);
    const turn = (number: number): [string, string, { n: number; tags: string[] } | null][] => [
      ['user', 'Đâu?', null],
      ['assistant', `Ở đây 🌊 ${number}`, { n: number, tags: ['a'] }],
    ];
    try {
      for (const [number, write] of [0, 1, 2, 3, 4].entries()) {
        if (write % 2 === 0) for (const message of turn(number)) await memory.addMemory('s', ...message);
        const added = write % 2 === 0 ? [] : turn(number);
        const [context, text, answers] = JSON.parse(
          await python.python(['-c', PROGRAM, file, JSON.stringify(added)]),
        ) as [{ timestamp: string }[], string, string[]];
        expect(context).toHaveLength(2 * (number + 1));
        const times = context.map(({ timestamp }) => timestamp);
        expect(times.filter((time) => !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time))).toEqual([]);
        expect(await memory.getContext('s', 100)).toEqual(
          context.map((message, index) => ({ ...message, timestamp: `${times[index]!.replace(' ', 'T')}.000Z` })),
        );
        expect(await memory.formatAsString('s', 100)).toBe(text);
        expect(answers).toEqual([
          await memory.getExactMatchAnswer('Đâu?', { prefer: 'oldest' }),
          await memory.getExactMatchAnswer('Đâu?'),
        ]);
      }
    } finally {
      await memory.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
