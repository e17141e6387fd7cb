import { refusal } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import type { ParkedRange, SessionStrategyState } from './extraction-states.port.js';

/** @param readThrough sequence up to which all automatic strategies have read the session */
export class MemoryNotCaughtUp extends refusal('memory.not_caught_up', 'late', (readThrough: number) => ({
  message: 'The session was not extracted up to afterSequence within waitMs.',
  title: 'The memory is not up to date yet.',
  field: 'afterSequence',
  rule: 'must be reached within waitMs',
  next: 'Send the request again, or read the status of the session under /extraction.',
  facts: { readThrough },
})) {}

/** @param readThrough sequence up to which all automatic strategies have read the session */
export class WindowIsParked extends refusal('extraction.window_parked', 'conflict', (readThrough: number) => ({
  message: 'afterSequence lies in a window of the session that is parked; waiting does not help.',
  title: 'A window of the session is parked.',
  field: 'afterSequence',
  rule: 'must not lie in a parked window',
  next: 'See GET /v1/memories/{memoryId}/extraction/parked, then replay the window or drop it.',
  facts: { readThrough },
})) {}

/** Initial polling interval; it doubles up to the maximum. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 200;

/**
 * Waits until the automatic strategies have read a session up to a sequence. Also makes the session due now instead of
 * after more turns or a quiet period, because the caller is waiting.
 */
export class AwaitExtraction {
  constructor(
    private readonly deps: Pick<
      Ports,
      'memories' | 'eventStore' | 'extractionSchedule' | 'extractionStates' | 'monotonicMs' | 'pause'
    >,
  ) {}

  /** Rejects with `MemoryNotCaughtUp` on timeout, and with `WindowIsParked` immediately. */
  async execute(scope: SessionScope, sequence: number, waitMs: number): Promise<void> {
    const { memories, extractionSchedule, extractionStates, eventStore, monotonicMs, pause } = this.deps;
    await requireMemory(memories, scope.tenantId, scope.memoryId);
    const deadline = monotonicMs() + waitMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const waitedFor = (await extractionStates.sessionStates(scope)).filter(({ runsByItself }) => runsByItself);
      const behind = waitedFor.filter(
        (state) => state.watermark < sequence || windowAround(state, sequence) !== undefined,
      );
      if (behind.length === 0) return;
      const readThrough = Math.min(
        ...behind.map((state) => (windowAround(state, sequence)?.fromSequence ?? state.watermark + 1) - 1),
      );
      if (behind.some((state) => isParked(state, sequence))) throw new WindowIsParked(readThrough);
      const left = deadline - monotonicMs();
      if (left <= 0) throw new MemoryNotCaughtUp(readThrough);
      // Capped at the newest sequence: an arbitrarily high number must not make every later turn due on its own.
      await extractionSchedule.hasten(scope, Math.min(sequence, await eventStore.sessionSequence(scope)));
      await pause(Math.min(pauseMs, left));
    }
  }
}

/**
 * The parked window that contains the sequence. Earlier parked windows do not matter: later windows are still read.
 */
const windowAround = ({ parked }: SessionStrategyState, sequence: number): ParkedRange | undefined =>
  parked.find(({ fromSequence, toSequence }) => fromSequence <= sequence && sequence <= toSequence);

const isParked = (state: SessionStrategyState, sequence: number): boolean =>
  windowAround(state, sequence)?.replaying === false || (state.watermark < sequence && state.status === 'parked');
