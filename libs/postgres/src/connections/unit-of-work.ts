import {
  LogUnavailable,
  Restart,
  type Appended,
  type AppendingTransaction,
  type AppendRequest,
  type Ending,
  type Settlement,
  type StagedAppend,
  type Transaction,
  type UnitOfWork,
} from '@turnkeeper/application';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { onConnection, rowsOf } from './database.js';
import { CallerActivity } from './caller-activity.js';
import { oneAtATime } from './one-at-a-time.js';
import { sqlStateOf } from './lasting-failure.js';

/** A transaction for both plain SQL and TypeORM. */
class TypeOrmTransaction implements AppendingTransaction {
  private stamp: Promise<string> | null = null;

  constructor(private readonly entityManager: EntityManager) {}

  get manager(): EntityManager {
    if (this.hasEnded) throw new Error('The transaction has ended: no statement may follow its append.');
    return this.entityManager;
  }

  hasEnded = false;

  async query(text: string, parameters: unknown[] = []): Promise<unknown[]> {
    return rowsOf(this.manager, text, parameters);
  }

  recordedAt(): Promise<string> {
    this.stamp ??= this.readClock();
    return this.stamp;
  }

  /** Null if no row was stamped. */
  stamped(): Promise<string | null> {
    return this.stamp ?? Promise.resolve(null);
  }

  private async readClock(): Promise<string> {
    const [row] = (await this.query(`select date_trunc('milliseconds', clock_timestamp()) as at`)) as { at: Date }[];
    return (row as { at: Date }).at.toISOString();
  }
}

/**
 * Transactions on TypeORM connections. A transaction that appends sends the append and its commit as one message of the
 * simple protocol. The server runs nothing until it has received the whole message, so a process that stops or is lost
 * at any moment never holds the head of the log (docs/adr/0020).
 */
export class TypeOrmUnitOfWork implements UnitOfWork {
  /**
   * @param log the log's part of an append; without it, `append` throws
   * @param callers whether callers append too: then the next `append` begins after a pause
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly log?: StagedAppend,
    private readonly callers: Pick<CallerActivity, 'pauseAfter'> = new CallerActivity(),
  ) {}

  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transact(null, (tx, runner) => committing(work(tx), runner));
  }

  runFor<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transact(tenantId, (tx, runner) => committing(work(tx), runner));
  }

  append<T>(work: (tx: AppendingTransaction) => Promise<Ending<T>>): Promise<T> {
    return oneBackgroundAppend(
      () => this.transact(null, async (tx, runner) => this.end(tx, runner, await work(tx))),
      (workedMs) => this.callers.pauseAfter(workedMs),
    );
  }

  appendFor<T>(tenantId: string, work: (tx: AppendingTransaction) => Promise<Ending<T>>): Promise<T> {
    return this.transact(tenantId, async (tx, runner) => this.end(tx, runner, await work(tx)));
  }

  private transact<T>(
    tenantId: string | null,
    work: (tx: TypeOrmTransaction, runner: QueryRunner) => Promise<T>,
  ): Promise<T> {
    return restarting(() =>
      onConnection(this.dataSource, tenantId, async (runner, lost) => {
        try {
          await runner.startTransaction();
          return await work(new TypeOrmTransaction(runner.manager), runner);
        } catch (error) {
          // On a closed connection there is nothing to roll back, and a second error would not help.
          if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
          throw sqlStateOf(lost()) === IDLE_IN_TRANSACTION ? lost() : error;
        }
      }),
    );
  }

  private async end<T>(tx: TypeOrmTransaction, runner: QueryRunner, ending: Ending<T>): Promise<T> {
    const appended = await this.appendAndCommit(tx, runner, ending);
    return ending.result(appended);
  }

  private async appendAndCommit<T>(
    tx: TypeOrmTransaction,
    runner: QueryRunner,
    { append, settle = [], repeats = 'undo' }: Ending<T>,
  ): Promise<readonly Appended[]> {
    const { log } = this;
    if (log === undefined) throw new TypeError('This unit of work was made without a log.');
    const settled = settle.map(settlementOf);
    if (append.length === 0) {
      await sendTogether(runner, [...settled, 'commit']);
      return [];
    }
    const recordedAt = await tx.stamped();
    if (repeats === 'skip') await tx.query('savepoint before_append');
    await log.stage(tx, append, recordedAt);
    tx.hasEnded = true;
    try {
      const sent = performance.now();
      const row = await sendTogether(runner, [log.statement, ...settled, 'commit']);
      return log.answersOf(append, row, performance.now() - sent);
    } catch (error) {
      const first = log.repeatsOf(append, error);
      tx.hasEnded = false;
      if (repeats === 'skip') return this.skipRepeats(tx, runner, { append, settle, first });
      if (first.includes(null)) throw error;
      await runner.rollbackTransaction();
      return first as readonly Appended[];
    }
  }

  /** Skips requests that the log already has, and appends the rest together with the changes of the work. */
  private async skipRepeats(
    tx: TypeOrmTransaction,
    runner: QueryRunner,
    {
      append,
      settle = [],
      first,
    }: Pick<Ending<unknown>, 'append' | 'settle'> & { readonly first: readonly (Appended | null)[] },
  ): Promise<readonly Appended[]> {
    await tx.query('rollback to savepoint before_append');
    const left: readonly AppendRequest[] = append.filter((_, index) => first[index] === null);
    const rest = [...(await this.appendAndCommit(tx, runner, { append: left, settle, result: () => undefined }))];
    return first.map((answer) => answer ?? (rest.shift() as Appended));
  }
}

/** UUID literal: statements of one message take no parameters. */
const uuidLiteral = (id: string): string => {
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new RangeError('Not a UUID.');
  return `'${id}'`;
};

/** The only statements between an append and its commit. Each changes one row by its key, without waiting for it. */
const settlementOf = ({ agentId, eventId }: Settlement): string =>
  `select settle_agent(${uuidLiteral(agentId)}, ${uuidLiteral(eventId)})`;

interface Connection {
  /** One result for one statement, a list for several. */
  query(text: string): Promise<unknown>;
}

/**
 * At most one transaction of this process waits for the head of the log. More would only queue in front of the appends
 * of other processes. The maximum wait is well below the server's idle-in-transaction timeout.
 */
const atTheHead = oneAtATime({ longestWaitMs: 1_000 });

/**
 * Appends that no tenant requested, such as extracted records: one transaction of this process at a time. Sixteen at
 * once gain no throughput, and each active connection takes CPU time of Postgres from the appends that callers wait for
 * (docs/adr/0078). One that waits for a lock delays the others by this time. Nothing is open while one waits its turn.
 */
const oneBackgroundAppend = oneAtATime({ stuckMs: 1_000 });

/**
 * Ends the transaction with one message. A failed statement aborts the message, so the commit does not run.
 *
 * @returns the first row of the first statement
 */
const sendTogether = (runner: QueryRunner, statements: readonly string[]): Promise<unknown> =>
  atTheHead(async () => {
    const connection = (await runner.connect()) as Connection;
    const answers = await connection.query(statements.join('; '));
    const [first] = Array.isArray(answers) ? answers : [];
    // The message contained the commit; TypeORM has not noticed it.
    (runner as { isTransactionActive: boolean }).isTransactionActive = false;
    return (first as { readonly rows: readonly unknown[] } | undefined)?.rows[0];
  });

const committing = async <T>(work: Promise<T>, runner: QueryRunner): Promise<T> => {
  const result = await work;
  await runner.commitTransaction();
  return result;
};

const MAX_ATTEMPTS = 8;
/** Increases with every attempt, with jitter, so that two transactions do not collide again. */
const RESTART_PAUSE_MS = 50;

const restarting = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRestartable(error)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        throw error instanceof Restart ? new LogUnavailable('Too much changed meanwhile.', { cause: error }) : error;
      }
      await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS * attempt * Math.random()));
    }
  }
};

const DEADLOCK_DETECTED = '40P01';
/** The process was stopped or busy for longer than the idle-in-transaction timeout. The transaction was rolled back. */
const IDLE_IN_TRANSACTION = '25P03';

const isRestartable = (error: unknown): boolean =>
  error instanceof Restart || [DEADLOCK_DETECTED, IDLE_IN_TRANSACTION].includes(sqlStateOf(error) ?? '');

/** The entity manager of a transaction opened by `TypeOrmUnitOfWork`. */
export const managerOf = (tx: Transaction): EntityManager => {
  if (tx instanceof TypeOrmTransaction) return tx.manager;
  throw new TypeError('This transaction was not opened by the unit of work.');
};
