// `npm run upgrade-drill`: replaces every process of the previous version under load, behind haproxy, and migrates meanwhile.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../../dev/build.mjs';
import { createKey, migrate } from '../../dev/command-line.mjs';
import { runOrThrow } from '../../shared/command.mjs';
import { script } from '../../shared/script.mjs';
import { say, step } from '../../shared/steps.mjs';
import { sleep } from '../../shared/wait.mjs';
import { workspaceRoot } from '../../shared/workspace.mjs';
import { startHistories } from '../../faults/histories.mjs';
import { answersOf, Conversations, describeAnswers, sayFaults } from '../conversations.mjs';
import { forwardsToIngests, ingestSection, startHaproxy } from '../haproxy.mjs';
import { runDrill, signal, Site } from '../site.mjs';
import { endPod, timesOf, untilUnhealthy } from './kubelet.mjs';
import { buildVersion, newMigrations, removeVersion, versionBefore } from './old-release.mjs';

const USAGE = `Usage: npm run upgrade-drill -- [--from VERSION]

Two ingests and two workers of an older version behind haproxy, under load. Migrates the schema while they run, then
replaces one process after the other with the times of the chart, and freezes a worker until its probe finds it. No
request may fail. As root on Debian, missing programs are installed. Takes about five minutes.

  --from  commit, branch or tag of the older version; default: the one before the newest migration
`;
script(USAGE);
const { values } = parseArgs({ options: { from: { type: 'string' } } });

const WRITERS = 8;
const PAUSE_MS = 50;
const CALM_MS = 5_000;
/** Pairs of the old and the new name: each has its own port, as a new pod has its own address. */
const REPLACEMENTS = ['ingest', 'worker'].flatMap((app) => [
  [`${app}-1`, `${app}-3`],
  [`${app}-2`, `${app}-4`],
]);
const NAMES = REPLACEMENTS.flat();
const INGESTS = NAMES.filter((name) => name.startsWith('ingest')).sort();

const site = new Site('upgrade-drill');
const oldRoot = join(workspaceRoot, 'tmp', 'upgrade-drill-old');

const startOld = async () => {
  await removeVersion(oldRoot); // of a run that was killed
  await site.begin([...NAMES, 'haproxy']);
  const version = values.from ?? (await versionBefore());
  await step(
    'old version',
    (note) => buildVersion(version, oldRoot, note),
    () => version.slice(0, 12),
  );
  await step('new version', build, () => 'compiled');
  const added = newMigrations(oldRoot, workspaceRoot);
  if (added.length === 0) say('  The two versions have the same schema: the migration has nothing to do.');
  const { environment, ownerEnvironment } = await site.provide();
  const oldCli = join(oldRoot, 'apps', 'cli', 'dist', 'main.js');
  await step('old schema', () => runOrThrow(process.execPath, [oldCli, 'migrate'], { env: ownerEnvironment }));
  const old = REPLACEMENTS.map(([name]) => name);
  await step(
    'old services',
    () => Promise.all(old.map((name) => site.startService(name, environment, oldRoot))),
    () => old.join(' '),
  );
  const backends = INGESTS.map((name) => ({ name, port: site.ports[name] }));
  await startHaproxy(site, [ingestSection(site.ports.haproxy, backends)], site.ports.haproxy);
  const { apiKey } = await createKey(ownerEnvironment, 'drill');
  return { environment, ownerEnvironment, apiKey, added, version };
};

const drill = async (histories) => {
  const { environment, ownerEnvironment, apiKey, added, version } = await startOld();
  const url = `http://127.0.0.1:${site.ports.haproxy}`;
  const conversations = new Conversations({
    urls: [url],
    apiKey,
    histories,
    folder: site.system.folder,
    writers: WRITERS,
    pauseMs: PAUSE_MS,
  });
  await forwardsToIngests(url);
  await conversations.start();
  const rows = [];
  await conversations.during(async () => {
    await sleep(CALM_MS);
    await step(
      'migrate',
      (note) => migrate(ownerEnvironment, note),
      () => added.join(', ') || 'nothing to do',
    );
    await sleep(CALM_MS);
    for (const [oldName, newName] of REPLACEMENTS) rows.push(await replace(oldName, newName, environment));
    await sleep(CALM_MS);
    rows.push(await findHung(environment));
  });
  const faults = await conversations.check(ownerEnvironment);
  return report({ version, added, rows, faults, writers: conversations.writers });
};

/** The new process is ready before the old one is told to end, as in a rolling update without unavailable pods. */
const replace = (oldName, newName, environment) => {
  const times = timesOf(oldName.split('-')[0]);
  return step(
    oldName,
    async () => {
      await site.startService(newName, environment);
      const { seconds, how } = await endPod(site.services.get(oldName), times);
      return {
        what: `${oldName} replaced by ${newName}`,
        seconds,
        allowed: times.graceSeconds,
        fine: how === 'exit code 0',
        how,
      };
    },
    ({ how, seconds }) => `${how} after ${seconds.toFixed(1)} s`,
  );
};

/** Freezes a worker; its probe must find it, and a new one takes its place. */
const findHung = (environment) => {
  const times = timesOf('worker');
  const { periodSeconds, timeoutSeconds, failureThreshold } = times.liveness;
  const allowed = periodSeconds * failureThreshold + timeoutSeconds;
  const name = 'worker-4';
  return step(
    'hung worker',
    async () => {
      const { pid, exited } = site.services.get(name);
      signal(pid, 'SIGSTOP');
      const seconds = await untilUnhealthy(site.ports[name], times.liveness);
      signal(pid, 'SIGKILL');
      await exited;
      await site.startService(name, environment);
      return {
        what: 'frozen worker found by its liveness probe',
        seconds,
        allowed,
        fine: seconds <= allowed + 5,
        how: 'restarted',
      };
    },
    ({ seconds }) => `found after ${seconds.toFixed(0)} s`,
  );
};

const report = ({ version, added, rows, faults, writers }) => {
  say('\n| step | seconds | allowed | result |');
  say('|---|--:|--:|---|');
  for (const { what, seconds, allowed, how } of rows) say(`| ${what} | ${seconds.toFixed(1)} | ${allowed} | ${how} |`);
  const answers = answersOf(writers.clients);
  const failed = [...answers].filter(([status]) => status === 0 || status >= 500);
  say(`\nFrom ${version.slice(0, 12)}, migrated by ${added.join(', ') || 'nothing'} while it ran.`);
  say(`${writers.acknowledged} messages acknowledged in ${writers.ledger.world.conversations.size} conversations.`);
  say(`Answers: ${describeAnswers(answers)}. Failed requests: ${failed.reduce((sum, [, count]) => sum + count, 0)}.`);
  return sayFaults(faults) && failed.length === 0 && rows.every(({ fine }) => fine);
};

const histories = await startHistories();
await runDrill(site, async () => {
  try {
    return await drill(histories);
  } finally {
    await removeVersion(oldRoot);
  }
});
