import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch, stop, untilAnswers } from './background.mjs';
import { isRunning } from './process-identity.mjs';
import { until } from './wait.mjs';

describe('a background process', () => {
  let dir;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'tk-background-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const node = (script, options = {}) =>
    launch({
      name: 'child',
      command: process.execPath,
      args: ['-e', script],
      logFile: join(dir, 'child.log'),
      ...options,
    });
  const says = (text) => () => readFileSync(join(dir, 'child.log'), 'utf8').includes(text);

  it('is recorded as soon as it runs', async () => {
    const recorded = [];
    const child = await node('setInterval(() => {}, 1000)', { record: (running) => recorded.push(running) });
    expect(recorded).toEqual([{ name: 'child', pid: child.pid, stamp: child.stamp, stopSignal: 'SIGTERM' }]);
    expect(await stop(child)).toBe('stopped');
  });

  it('is killed with its children if it ignores SIGTERM', async () => {
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      process.on('SIGTERM', () => {});
      console.log('child', child.pid, 'ready');
      setInterval(() => {}, 1000);`;
    const child = await node(script);
    await until('the child', says('ready'));
    const grandchild = Number(/child (\d+)/.exec(readFileSync(child.logFile, 'utf8'))?.[1]);
    expect(await stop(child, { deadlineMs: 200 })).toBe('killed');
    await until('the end of the grandchild', () => !alive(grandchild));
  });

  it('is left alone if its pid belongs to another process now', async () => {
    const child = await node('setInterval(() => {}, 1000)');
    expect(await stop({ ...child, stamp: 'of an earlier process' })).toBe('gone');
    expect(isRunning(child)).toBe(true);
    await stop(child);
  });

  it('shows the end of its log if it dies during startup', async () => {
    const child = await node('console.error("no such setting"); process.exit(3)');
    await expect(untilAnswers(child, () => false)).rejects.toThrow(/exit code 3[^]*no such setting/);
  });
});

const alive = (pid) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
