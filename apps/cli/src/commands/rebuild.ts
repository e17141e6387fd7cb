import { parseArgs } from 'node:util';
import { RebuildProjections, type RebuildProgress, type RebuildReport } from '@turnkeeper/application';
import { createEventStore } from '@turnkeeper/event-store';
import { createDataSource, createShadowStores } from '@turnkeeper/read-models';

/** Exit code of a comparison that found something. */
const FOUND = 3;
const PROGRESS_EVERY_MS = 1_000;

/**
 * Makes every projection anew from the log and puts it in the place of the old one; with `--check` it only compares. No
 * part of it can reach a model: it is made of the log's and the read models' adapters alone.
 */
export const rebuild = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { check: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  const dataSource = createDataSource({ url: databaseUrl, poolSize: 3, statementTimeoutMs: 0 });
  await dataSource.initialize();
  const eventStore = createEventStore({ databaseUrl, readers: 2 });
  try {
    const started = performance.now();
    const report = await createRebuild(dataSource, eventStore).execute({
      onlyCompare: values.check,
      onProgress: progressLines(),
    });
    const seconds = (performance.now() - started) / 1_000;
    process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : describe(report, values.check, seconds));
    if (!values.check) await rebuildTurns(eventStore.turns);
    if (values.check && report.drift.length > 0) process.exitCode = FOUND;
  } finally {
    await eventStore.close();
    await dataSource.destroy();
  }
};

/** A search meanwhile finds less: the index is made again in its place, not beside it. */
const rebuildTurns = async (turns: ReturnType<typeof createEventStore>['turns']): Promise<void> => {
  const { before, after } = await turns.rebuild();
  const what = before.hash === after.hash ? 'equal' : 'DIFFERED, and is now what the log says';
  process.stderr.write(`Index of turns: ${after.rows} turns  ${after.hash}  ${what}.\n`);
};

export const createRebuild = (
  dataSource: ReturnType<typeof createDataSource>,
  eventStore: ReturnType<typeof createEventStore>,
): RebuildProjections => new RebuildProjections({ eventStore, ...createShadowStores(dataSource) });

/** Progress goes where messages go, so that the report alone is the output. */
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

const describe = (report: RebuildReport, onlyCompared: boolean, seconds: number): string => {
  const { before, rebuilt, drift, events } = report;
  const lines = rebuilt.map(({ table, rows, hash }, index) => {
    const equal = before[index]?.hash === hash;
    const found = drift.find((entry) => entry.table === table);
    const what =
      found === undefined
        ? 'equal'
        : `DIFFERED: ${found.changed} changed, ${found.missing} missing, ${found.surplus} surplus`;
    return `  ${table.padEnd(17)}${String(rows).padStart(9)} rows  ${hash}  ${equal ? 'equal' : what}`;
  });
  const verdict =
    drift.length === 0
      ? 'The projections are what the log says.'
      : onlyCompared
        ? 'The projections are NOT what the log says. Nothing was changed.'
        : 'The projections were not what the log says. They are now.';
  return [`${events} events in ${seconds.toFixed(1)} s.`, ...lines, verdict, ''].join('\n');
};
