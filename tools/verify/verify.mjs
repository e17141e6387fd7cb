// `npm test`: everything that CI checks, on throwaway servers, ending with the count.
import { endCommands, lastLines } from '../shared/command.mjs';
import { checkNode, installPackages } from '../shared/install.mjs';
import { script } from '../shared/script.mjs';
import { say, step, tolerateClosedOutput } from '../shared/steps.mjs';
import { scratchSystem } from '../dev/scratch-system.mjs';
import { STAGES } from './checks.mjs';

script(`Usage: npm test

Runs everything that CI checks, on throwaway servers: format, lint, types, unit, integration and end-to-end tests.
TEST_DATABASE_URL, TEST_NATS_URL and TEST_REDIS_URL name servers to use instead.
`);
const MAX_LINES = 400;
const system = scratchSystem('verify');

const prepare = async () => {
  checkNode();
  await system.claim();
  await step('packages', installPackages, (how) => (how === 'present' ? 'up to date' : 'installed'));
  const { provisionServers } = await import('../servers/provision.mjs');
  const { provideChromium } = await import('../servers/chromium.mjs');
  const { providePython } = await import('../servers/python.mjs');
  const chromium = await step('chromium', provideChromium, (path) => path);
  const python = await step('python', providePython, (path) => path);
  const { postgres, nats, redis } = await provisionServers({
    dir: system.folder,
    logs: system.logs,
    given: {
      database: process.env.TEST_DATABASE_URL,
      nats: process.env.TEST_NATS_URL,
      queue: process.env.TEST_REDIS_URL,
    },
    database: 'postgres',
    durable: false,
    redisRequired: true,
    record: system.record,
  });
  const servers = [postgres, nats, redis];
  system.change({
    containers: servers.filter(({ source }) => source === 'compose').map(({ name }) => name),
    outside: servers.flatMap(({ outside }) => outside ?? []),
  });
  return {
    ...process.env,
    TEST_DATABASE_URL: postgres.url,
    TEST_NATS_URL: nats.url,
    TEST_REDIS_URL: redis.url,
    TK_CHROMIUM: chromium,
    TK_PYTHON: python,
  };
};

/**
 * @returns {Promise<{ passed: number, failed: number }>} a failed check that is not a test run counts as one failure
 */
const runChecks = async (env) => {
  const total = { passed: 0, failed: 0 };
  let hopeless = false;
  const runLane = async (lane, alone) => {
    for (const { name, check, needed } of lane) {
      const describe = ({ ok, detail }) => detail ?? (ok ? 'good' : 'FAILED');
      const work = (note) => check({ env, folder: system.folder }, note);
      /** @type {import('./checks.mjs').Result} */
      const result = await step(name, work, describe, { live: alone });
      total.passed += result.passed ?? 0;
      total.failed += result.failed ?? (result.ok ? 0 : 1);
      if (!result.ok) say(`\n${lastLines(result.output ?? '', MAX_LINES)}\n`);
      hopeless ||= !result.ok && needed === true;
      if (hopeless) return;
    }
  };
  for (const lanes of STAGES) {
    await Promise.all(lanes.map((lane) => runLane(lane, lanes.length === 1)));
    if (hopeless) break;
  }
  return total;
};

const verify = async () => {
  const total = await runChecks(await prepare());
  return () => {
    say(`\n${total.passed} passed, ${total.failed} failed`);
    return total.failed === 0 && total.passed > 0 ? 0 : 1;
  };
};

tolerateClosedOutput();
const interrupted = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(() => 130));
});
const failed = (error) => () => {
  say(`\n${error.message}\n\n0 passed, 1 failed`);
  return 1;
};
const conclude = await Promise.race([interrupted, verify().catch(failed)]);
await endCommands();
await system.stop();
system.removeData();
process.exit(conclude());
