import type { Ports } from '../ports.js';
import type { SessionScope } from '../log/event-store.port.js';
import type { SessionPulse, SessionPulses } from './session-pulses.port.js';

/** Interval between two queries. */
const LOOK_EVERY_MS = 250;
/** Maximum number of sessions in one query. */
const MAX_SESSIONS = 500;
/** After this many queries without a change (15 seconds), a caller gets the same pulse again. */
const QUIET_LOOKS = 60;

interface Waiter {
  readonly scope: SessionScope;
  readonly seen: SessionPulse | null;
  readonly resolve: (pulse: SessionPulse) => void;
  looks: number;
}

/**
 * Tells when sessions change. All waiting callers of a process share one query per interval, so an open stream adds
 * no query. Without callers, no queries are made.
 */
export class SessionWatch {
  private readonly waiters = new Set<Waiter>();
  private looking = false;

  constructor(
    private readonly deps: Pick<Ports, 'pause'> & {
      readonly sessionPulses: SessionPulses;
      /** Called when a query failed. It is repeated after the interval. */
      readonly onFailed?: (error: unknown) => void;
    },
  ) {}

  /**
   * Resolves with the session's pulse when it differs from `seen` (if that is null, after the next query); with the same
   * pulse after about 15 seconds without a change; with null when the signal aborts. Failed queries are repeated.
   */
  next(scope: SessionScope, seen: SessionPulse | null, signal: AbortSignal): Promise<SessionPulse | null> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null);
      const abort = (): void => done(null);
      const done = (pulse: SessionPulse | null): void => {
        this.waiters.delete(waiter);
        signal.removeEventListener('abort', abort);
        resolve(pulse);
      };
      const waiter: Waiter = { scope, seen, resolve: done, looks: 0 };
      this.waiters.add(waiter);
      signal.addEventListener('abort', abort, { once: true });
      if (!this.looking) void this.look();
    });
  }

  /** Number of callers that are waiting. */
  get waiting(): number {
    return this.waiters.size;
  }

  private async look(): Promise<void> {
    this.looking = true;
    while (this.waiters.size > 0) {
      const waiters = [...this.waiters];
      for (let at = 0; at < waiters.length; at += MAX_SESSIONS) {
        await this.lookAt(waiters.slice(at, at + MAX_SESSIONS));
      }
      await this.deps.pause(LOOK_EVERY_MS);
    }
    this.looking = false;
  }

  private async lookAt(waiters: readonly Waiter[]): Promise<void> {
    try {
      const pulses = await this.deps.sessionPulses.of(waiters.map(({ scope }) => scope));
      for (const [at, waiter] of waiters.entries()) {
        const { seen, resolve } = waiter;
        const pulse = pulses[at];
        if (pulse === undefined) continue;
        waiter.looks += 1;
        const isSame = seen?.sequence === pulse.sequence && seen.memory === pulse.memory;
        if (!isSame || waiter.looks >= QUIET_LOOKS) resolve(pulse);
      }
    } catch (error) {
      this.deps.onFailed?.(error);
    }
  }
}
