import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isRunning, ownIdentity, parseStat, stampOf } from './process-identity.mjs';

describe('the identity of a process', () => {
  it('identifies a running process', () => expect(isRunning(ownIdentity())).toBe(true));

  it('does not match another process with a reused pid', () => {
    expect(isRunning({ ...ownIdentity(), stamp: '1@another-boot' })).toBe(false);
  });

  it('ends with the process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const pid = child.pid ?? 0;
    const identity = { pid, stamp: stampOf(pid) ?? 'not running' };
    expect(isRunning(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isRunning(identity)).toBe(false);
  });

  it('is read from a stat line whose command contains spaces and parentheses', () => {
    const fields = Array.from({ length: 20 }, (_, index) => String(index + 4)); // fields 4 to 23
    expect(parseStat(`812 (tmux: (x) y) S ${fields.join(' ')}`)).toEqual({ state: 'S', parent: 4, startTicks: '22' });
  });
});
