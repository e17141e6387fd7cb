import type { ExtractionClaim, SessionProgress, SettledWindow } from '@turnkeeper/application';
import { PgExtractionClaims } from '../work/extraction/extraction-claims.js';
import { PgExtractionSchedule } from '../work/extraction/extraction-schedule.js';
import { PgExtractionStates } from '../work/extraction/extraction-states.js';
import { ReadModelDatabase } from './read-model-database.js';

const TIMING = { turnInterval: 3, quietSeconds: 60 };
export const LEASE_SECONDS = 30;
/** More sessions than any test has. */
export const MANY = 1_000;

/** The stores of extraction on their own database, and steps that tests repeat. */
export class ExtractionWork {
  readonly claims: PgExtractionClaims;
  readonly schedule: PgExtractionSchedule;
  readonly states: PgExtractionStates;

  private constructor(readonly database: ReadModelDatabase) {
    this.claims = new PgExtractionClaims(database.dataSource);
    this.schedule = new PgExtractionSchedule(database.dataSource);
    this.states = new PgExtractionStates(database.dataSource);
  }

  static async create(): Promise<ExtractionWork> {
    return new ExtractionWork(await ReadModelDatabase.create());
  }

  close(): Promise<void> {
    return this.database.close();
  }

  empty(): Promise<unknown> {
    return this.database.rows('truncate extraction_states, sessions, memories, strategies cascade');
  }

  async setUp(options: Parameters<ReadModelDatabase['memory']>[0] = {}) {
    const memory = await this.database.memory(options);
    const session = await this.database.session(memory);
    return { ...memory, session, sessionKey: session.sessionKey, strategyId: memory.strategyIds[0]! };
  }

  note(...sessions: readonly (Partial<SessionProgress> & { sessionKey: number })[]) {
    return this.database.unitOfWork.run((tx) =>
      this.schedule.note(
        tx,
        sessions.map((session) => ({ newestSequence: 1, userTurns: 1, flushThrough: null, ...session })),
        TIMING,
      ),
    );
  }

  claim(at: { readonly sessionKey: number; readonly strategyId: string }) {
    return this.claims.claim(at.sessionKey, at.strategyId, LEASE_SECONDS);
  }

  /** Completes a window. @param then work in the same transaction */
  complete(
    held: ExtractionClaim,
    toSequence: number,
    { userTurns = 0, recordsMade = 0, ...rest }: Partial<SettledWindow> = {},
    then: () => void = () => undefined,
  ) {
    return this.database.unitOfWork.run(async (tx) => {
      const settled = await this.claims.complete(tx, held, { toSequence, userTurns, recordsMade, ...rest }, TIMING);
      then();
      return settled;
    });
  }

  async row({ sessionKey }: { readonly sessionKey: number }) {
    const [state] = await this.database.rows<Record<string, unknown>>(
      `select watermark::int, newest_sequence::int as newest, pending_turns as turns, status, attempts, fence::int,
              due_at <= now() as due, round(extract(epoch from due_at - now()))::int as due_in, last_code
         from extraction_states where session_key = $1`,
      [sessionKey],
    );
    return state;
  }

  /** Shifts stored times, so that tests need not wait for the clock. */
  passTime(seconds: number) {
    return this.database.rows(
      `update extraction_states set due_at = due_at - make_interval(secs => $1),
         lease_until = lease_until - make_interval(secs => $1), admitted_until = admitted_until - make_interval(secs => $1)`,
      [seconds],
    );
  }
}
