import { parseArgs } from 'node:util';
import {
  RebuildProjections,
  type RebuildProgress,
  type RebuildReport,
  type TableDigest,
  type TableDrift,
} from '@turnkeeper/application';
import { createEventStore, createShadowStores, PgTotals, withDatabase, type Database } from '@turnkeeper/postgres';

/** Exit code of a comparison that found differences. */
const FOUND = 3;
const PROGRESS_EVERY_MS = 1_000;
/** The final check of the index of turns reads all of it. */
const LONGEST_STATEMENT_MS = 3_600_000;

/**
 * Rebuilds every projection from the log and swaps it in; with `--check` it only compares. It cannot call a model: it
 * uses only the adapters of the log and the read models.
 */
export const rebuild = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { check: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  const options = { url: databaseUrl, poolSize: 3, statementTimeoutMs: 0 };
  await withDatabase(options, async (dataSource) => {
    const eventStore = createEventStore({ databaseUrl, readers: 2, statementTimeoutMs: LONGEST_STATEMENT_MS });
    try {
      await rebuildOn(dataSource, eventStore, values);
    } finally {
      await eventStore.close();
    }
  });
};

const rebuildOn = async (
  dataSource: Database,
  eventStore: ReturnType<typeof createEventStore>,
  { check, json }: { readonly check: boolean; readonly json: boolean },
): Promise<void> => {
  const started = performance.now();
  const [report, turns] = await Promise.all([
    createRebuild(dataSource, eventStore).execute({ onlyCompare: check, onProgress: progressLines() }),
    rebuildTurns(eventStore, check),
  ]);
  if (!check) await recount(dataSource, eventStore);
  const whole = { ...report, turns, drift: turns.drift === null ? report.drift : [...report.drift, turns.drift] };
  const seconds = (performance.now() - started) / 1_000;
  process.stdout.write(json ? `${JSON.stringify(whole)}\n` : describe(whole, check, seconds));
  if (check && whole.drift.length > 0) process.exitCode = FOUND;
};

/** Counters are not compared: triggers keep them, and making them again is as cheap as comparing them. */
export const recount = async (dataSource: Database, eventStore: ReturnType<typeof createEventStore>): Promise<void> => {
  await eventStore.recentSessions.recount();
  await new PgTotals(dataSource).recount();
};

interface TurnReport {
  readonly rows: number;
  readonly drift: TableDrift | null;
}

interface WholeReport extends RebuildReport {
  readonly turns: TurnReport;
}

/** The index of turns belongs to the event store: compared page by page, and rebuilt in place where it differs. */
const rebuildTurns = async (
  { turns }: Pick<ReturnType<typeof createEventStore>, 'turns'>,
  onlyCompare: boolean,
): Promise<TurnReport> => {
  const { rows, missing, surplus, changed } = await turns.rebuild({ onlyCompare });
  const differs = missing + surplus + changed > 0;
  return { rows, drift: differs ? { table: 'turns', missing, surplus, changed } : null };
};

export const createRebuild = (
  dataSource: Database,
  eventStore: ReturnType<typeof createEventStore>,
): RebuildProjections => new RebuildProjections({ eventStore, ...createShadowStores(dataSource) });

/** Progress goes to stderr, so that stdout has only the report. */
const progressLines = (): ((progress: RebuildProgress) => void) => {
  let shownAt = 0;
  return ({ position, head, events }) => {
    const now = performance.now();
    if (position < head && now - shownAt < PROGRESS_EVERY_MS) return;
    shownAt = now;
    const percent = head === 0 ? 100 : Math.floor((100 * position) / head);
    process.stderr.write(`Position ${position} of ${head} (${percent} %), ${events} events projected.\n`);
  };
};

const describe = (report: WholeReport, onlyCompared: boolean, seconds: number): string => {
  const { rebuilt, drift, events, turns } = report;
  const line = ({ table, rows, hash }: TableDigest) => {
    const found = drift.find((entry) => entry.table === table);
    const what =
      found === undefined
        ? 'equal'
        : `DIFFERED: ${found.changed} changed, ${found.missing} missing, ${found.surplus} surplus`;
    return `  ${table.padEnd(17)}${String(rows).padStart(9)} rows  ${hash}  ${what}`;
  };
  // Compared turn by turn, so there is no total hash.
  const lines = [...rebuilt, { table: 'turns', rows: turns.rows, hash: ''.padEnd(32) }].map(line);
  const verdict =
    drift.length === 0
      ? 'The projections are what the log says.'
      : onlyCompared
        ? 'The projections are NOT what the log says. Nothing was changed.'
        : 'The projections were not what the log says. They are now.';
  return [`${events} events in ${seconds.toFixed(1)} s.`, ...lines, verdict, ''].join('\n');
};
