import { describe, expect, it } from 'vitest';
import type { SessionPulse } from './session-pulses.port.js';
import { SessionWatch } from './session-watch.js';

const scope = (sessionId: string) => ({ tenantId: 'acme', memoryId: 'm', actorId: 'ada', sessionId });

describe('SessionWatch', () => {
  const start = () => {
    const sequences = new Map<string, number>();
    const asked: string[][] = [];
    const failures: unknown[] = [];
    let broken = false;
    let look = (): void => undefined;
    const watch = new SessionWatch({
      sessionPulses: {
        of: async (scopes) => {
          asked.push(scopes.map(({ sessionId }) => sessionId));
          if (broken) throw new Error('no database');
          return scopes.map(({ sessionId }): SessionPulse => ({ sequence: sequences.get(sessionId) ?? 0, memory: '' }));
        },
      },
      pause: () => new Promise((resolve) => (look = resolve)),
      onFailed: (error) => failures.push(error),
    });
    /** Ends the pause, and waits for the look that follows. */
    const tick = async (): Promise<void> => {
      await new Promise(setImmediate);
      look();
      await new Promise(setImmediate);
    };
    return { watch, sequences, asked, failures, tick, break: (is: boolean) => (broken = is) };
  };
  const never = new AbortController().signal;

  it('resolves at the first look without a pulse, and then when the session changes', async () => {
    const { watch, sequences, tick } = start();
    const first = await watch.next(scope('a'), null, never);
    expect(first).toEqual({ sequence: 0, memory: '' });
    let second: SessionPulse | null | undefined;
    void watch.next(scope('a'), first, never).then((pulse) => (second = pulse));
    await tick();
    expect(second).toBeUndefined();
    sequences.set('a', 1);
    await tick();
    expect(second).toEqual({ sequence: 1, memory: '' });
  });

  it('asks once for all callers, and not at all without one', async () => {
    const { watch, asked, tick } = start();
    const first = Promise.all(['a', 'b'].map((id) => watch.next(scope(id), null, never)));
    await tick();
    const [a, b] = await first;
    const gone = new AbortController();
    void watch.next(scope('a'), a!, gone.signal);
    const ended = watch.next(scope('b'), b!, gone.signal);
    await tick();
    expect(asked.at(-1)).toEqual(['a', 'b']);
    gone.abort();
    expect(await ended).toBeNull();
    expect(watch.waiting).toBe(0);
    const before = asked.length;
    await tick();
    expect(asked.length).toBe(before);
    expect(await watch.next(scope('a'), a!, gone.signal)).toBeNull();
  });

  it('looks again after a failure', async () => {
    const { watch, tick, failures, break: setBroken } = start();
    setBroken(true);
    const found = watch.next(scope('a'), null, never);
    await tick();
    expect(failures).toHaveLength(2);
    setBroken(false);
    await tick();
    expect(await found).toEqual({ sequence: 0, memory: '' });
  });

  it('returns the same pulse after 15 seconds without a change', async () => {
    const { watch, tick } = start();
    const seen = { sequence: 0, memory: '' };
    let again: unknown;
    void watch.next(scope('a'), seen, never).then((pulse) => (again = pulse));
    for (let at = 0; at < 58; at += 1) await tick();
    expect(again).toBeUndefined();
    await tick();
    expect(again).toEqual(seen);
  });
});
