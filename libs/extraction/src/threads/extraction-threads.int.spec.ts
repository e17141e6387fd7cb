import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ExtractionInput } from '@turnkeeper/application';
import { afterEach, describe, expect, it } from 'vitest';
import { ExtractionThreads } from './extraction-threads.js';

const at = (path: string) => new URL(path, import.meta.url).href;
const MISBEHAVING = at('../../fixtures/misbehaving-thread.mjs');
const SLOW_START = at('../../fixtures/slow-start-thread.mjs');
const STOPPED_PROCESS = fileURLToPath(at('../../fixtures/stopped-process.mjs'));
const BUILT = at('../../dist/threads/extraction-thread.js');
const never = new AbortController().signal;

const windowOf = (tenantId: string, ...contents: string[]): ExtractionInput => ({
  tenantId,
  strategyType: 'SEMANTIC',
  strategyVersion: 1,
  customPrompt: null,
  context: [],
  messages: contents.map((content, index) => ({
    eventId: `event-${index}`,
    sequence: index + 1,
    role: 'user',
    speaker: null,
    content,
    at: '2026-03-02T10:00:00.000Z',
    source: null,
  })),
});

describe('extraction threads', () => {
  let threads: ExtractionThreads;
  afterEach(() => threads?.close());
  const start = (options: Partial<ConstructorParameters<typeof ExtractionThreads>[0]> = {}) => {
    threads = new ExtractionThreads({
      threads: 2,
      cpuMs: 60_000,
      maxMegabytes: 64,
      filename: MISBEHAVING,
      ...options,
    });
    return threads;
  };
  const read = (tenantId: string, deed: string, signal = never) =>
    threads.readAnswer(windowOf(tenantId, deed), '', signal);

  it('terminate work at its limit of CPU time, and continue with other work', async () => {
    start({ threads: 1, cpuMs: 1_000 });
    await expect(read('a', 'hang')).rejects.toMatchObject({ name: 'WindowTooHeavy', code: 'extraction.too_slow' });
    expect(await read('a', 'anything')).toEqual({ candidates: [] });
  });

  it('terminate work that uses too much memory, and nothing else', async () => {
    start();
    const neighbour = read('b', 'work');
    await expect(read('a', 'hoard')).rejects.toMatchObject({ name: 'WindowTooHeavy', code: 'extraction.too_large' });
    expect(await neighbour).toEqual({ candidates: [] });
  });

  it('do not count the start of a thread', async () => {
    start({ threads: 1, cpuMs: 500, filename: SLOW_START });
    expect(await read('a', 'anything')).toEqual({ candidates: [] });
  });

  it('do not count the time in which the machine does something else', async () => {
    const child = fork(STOPPED_PROCESS, { execArgv: [] });
    const done = Promise.race([once(child, 'message'), once(child, 'exit')]);
    // Runs 50 ms of every 250: a second of CPU time takes five.
    const stopping = setInterval(() => {
      child.kill('SIGSTOP');
      setTimeout(() => child.kill('SIGCONT'), 200);
    }, 250);
    try {
      expect((await done)[0]).toEqual({ candidates: [] });
    } finally {
      clearInterval(stopping);
      child.kill('SIGKILL');
    }
  });

  it('replace a thread that gets no CPU, which says nothing about its window', async () => {
    start({ threads: 1, stallMs: 1_000 });
    await expect(read('a', 'block')).rejects.toMatchObject({
      name: 'ThreadResourcesMissing',
      code: 'extraction.no_resources',
    });
    expect(await read('a', 'anything')).toEqual({ candidates: [] });
  });

  it('recover from a thread that exits', async () => {
    start({ threads: 1 });
    await expect(read('a', 'crash')).rejects.toThrow();
    expect(await read('a', 'anything')).toEqual({ candidates: [] });
  });

  it('stop work immediately if its window is lost or its memory was deleted', async () => {
    start({ threads: 1 });
    const lost = new AbortController();
    const hanging = read('a', 'hang', lost.signal);
    const waiting = read('b', 'anything');
    setTimeout(() => lost.abort(new Error('lease lost')), 200);
    await expect(hanging).rejects.toThrow('lease lost');
    expect(await waiting).toEqual({ candidates: [] });
  });

  it('distinguish a failed answer from a failed thread', async () => {
    start();
    await expect(read('a', 'fail')).rejects.toMatchObject({
      name: 'ExtractionFailed',
      code: 'model.unreadable_answer',
      rawAnswer: 'hm',
    });
  });

  it('keep a thread for others, whatever one tenant requests', async () => {
    start();
    const hangs = Array.from({ length: 20 }, () => read('hostile', 'hang').catch(() => 'ended'));
    expect(await read('victim', 'anything')).toEqual({ candidates: [] });
    await threads.close();
    expect(new Set(await Promise.all(hangs))).toEqual(new Set(['ended']));
  });

  it('take notes and parse answers in the built code', async () => {
    start({ filename: BUILT });
    expect(fileURLToPath(BUILT)).toContain('dist');
    const window = windowOf('a', 'I live in Hue.');
    const { rawAnswer } = await threads.takeNotes(window, never);
    expect(JSON.parse(rawAnswer)).toMatchObject({ facts: [{ text: expect.stringContaining('Hue') }] });
    const answer = '{"facts":[{"text":"User lives in Hue.","sources":[{"event":"m1","quote":"I live in Hue."}]}]}';
    expect((await threads.readAnswer(window, answer, never)).candidates).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux')('run at a lower priority than the rest of the process', async () => {
    /** The nice values of this process's threads, by thread id. */
    const priorities = () =>
      new Map(
        readdirSync('/proc/self/task').map((id) => {
          const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
          return [id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])] as const;
        }),
      );
    const own = getPriority();
    const before = priorities();
    start({ filename: BUILT });
    await Promise.all(['a', 'b'].map((tenantId) => threads.takeNotes(windowOf(tenantId, 'I live in Hue.'), never)));
    const made = [...priorities()].filter(([id]) => !before.has(id)).map(([, nice]) => nice);
    const low = Math.max(own, constants.priority.PRIORITY_BELOW_NORMAL);
    expect(made.filter((nice) => nice === low).length).toBeGreaterThanOrEqual(2);
    expect(getPriority()).toBe(own);
  });

  it('keep the event loop and other tenants responsive during 50 messages of 99 kB', { timeout: 120_000 }, async () => {
    start({ filename: BUILT, maxMegabytes: 256, cpuMs: 30_000 });
    const sentence = 'I like tea with lemon. My sister Ann lives in Hue. We went to the sea in May. ';
    const long = sentence.repeat(Math.floor(99_000 / sentence.length));
    const hostile = Array.from({ length: 50 }, () => threads.takeNotes(windowOf('hostile', long), never));
    let done = 0;
    for (const window of hostile) {
      window.then(
        () => (done += 1),
        () => undefined, // ended with the test
      );
    }
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 10);
    const victim = await threads.takeNotes(windowOf('victim', 'I moved to Hue.'), never);
    expect(JSON.parse(victim.rawAnswer)).toMatchObject({ facts: [{ text: expect.stringContaining('Hue') }] });
    expect(done).toBeLessThan(10);
    const first = await Promise.any(hostile);
    expect((JSON.parse(first.rawAnswer) as { facts: unknown[] }).facts.length).toBeGreaterThan(90);
    expect(turns).toBeGreaterThan(10);
    clearInterval(turning);
  });
});
