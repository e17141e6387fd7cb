import { describe, expect, it } from 'vitest';
import { endCommands, run, runOrThrow } from './command.mjs';

/** @returns {[string, string[]]} */
const node = (script) => [process.execPath, ['-e', script]];

describe('a command', () => {
  it('returns its output, line by line too, and its exit code', async () => {
    const lines = [];
    const [program, args] = node('console.log("one"); console.error("two"); process.exit(3)');
    const { code, output } = await run(program, args, { onLine: (line) => lines.push(line) });
    expect([code, output.split('\n').sort(), lines.sort()]).toEqual([3, ['', 'one', 'two'], ['one', 'two']]);
  });

  it('that fails throws an error with the end of its output', async () => {
    await expect(runOrThrow(...node('console.log("no such table"); process.exit(1)'))).rejects.toThrow(
      /exit 1[^]*no such table/,
    );
  });

  it('that does not exist fails', async () => expect((await run('no-such-program', [])).code).toBe(127));

  // Last, because no command can run afterwards.
  it('is terminated with the launcher, and no other is started then', async () => {
    const running = run(...node('setInterval(() => {}, 1000)'));
    await endCommands();
    expect((await running).code).not.toBe(0);
    expect((await run(...node(''))).code).toBe(130);
    expect((await run(...node(''), { evenAtTheEnd: true })).code).toBe(0);
  });
});
