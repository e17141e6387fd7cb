// `node tools/image/rehearse.mjs`: executes the Dockerfile without a container engine. Runs every COPY and RUN in a
// clean folder, then each image's command there on throwaway servers. Does not cover the base image, the user and the
// layers.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isReady } from '../dev/services.mjs';
import { keptSecretsKey } from '../shared/kept-secret.mjs';
import { launch, stop, untilAnswers } from '../shared/background.mjs';
import { runOrThrow } from '../shared/command.mjs';
import { choosePorts } from '../shared/ports.mjs';
import { line, say, step } from '../shared/steps.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { provisionServers } from '../servers/provision.mjs';
import { commandOf, parseDockerfile } from './dockerfile.mjs';

const stages = parseDockerfile(readFileSync(join(workspaceRoot, 'deploy', 'docker', 'Dockerfile'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-image-'));
chmodSync(folder, 0o755); // for the user that runs Postgres
const started = [];
const record = (running) => started.push(running);
const inStage = (stage) => join(folder, stage, 'app');

/** As in .dockerignore: install, build and runtime output is not sent to the build. */
const IGNORED = readFileSync(join(workspaceRoot, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
const ANYWHERE = new Set(IGNORED.filter((entry) => entry.startsWith('**/')).map((entry) => entry.slice(3)));
const sentToBuild = (source) =>
  !ANYWHERE.has(basename(source)) && !IGNORED.some((entry) => source === join(workspaceRoot, entry));

const copy = (stage, text) => {
  const [, from, source, target] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text) ?? [];
  const origin = from ? join(inStage(from), source.replace(/^\/app\//, '')) : resolve(workspaceRoot, source);
  const name = from && target === './' ? basename(source) : target;
  const filter = from ? undefined : sentToBuild;
  cpSync(origin, join(inStage(stage), name), {
    recursive: true,
    verbatimSymlinks: true,
    ...(filter ? { filter } : {}),
  });
};

const build = async () => {
  for (const { name, instructions } of stages.filter((stage) => ['build', 'runtime'].includes(stage.name))) {
    mkdirSync(inStage(name), { recursive: true });
    for (const { verb, text } of instructions) {
      if (verb === 'COPY')
        await step(
          'copy',
          async () => copy(name, text),
          () => text,
        );
      if (verb === 'RUN')
        await step(
          'run',
          (note) => runOrThrow('sh', ['-ec', text], { cwd: inStage(name), onLine: note }),
          () => text.slice(0, 57),
        );
    }
  }
};

const runImages = async () => {
  const servers = {
    dir: join(folder, 'servers'),
    logs: join(folder, 'logs'),
    given: {},
    database: 'turnkeeper',
    durable: false,
  };
  const { postgres, nats, redis } = await provisionServers({ ...servers, redisRequired: false, record });
  const ports = await choosePorts(['ingest', 'worker']);
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    DATABASE_URL: postgres.serviceUrl,
    NATS_URL: nats.url,
    QUEUE_URL: redis.url,
    INGEST_PORT: String(ports.ingest),
    WORKER_PORT: String(ports.worker),
    DURABLE_COMMITS: 'off', // as `durable: false` above
    ...keptSecretsKey(servers.dir),
  };
  const cwd = inStage('runtime');
  const [node, ...cli] = commandOf(stages, 'cli');
  await step(
    'cli',
    () => runOrThrow(node, [...cli, 'migrate'], { cwd, env: { ...env, MIGRATION_DATABASE_URL: postgres.url } }),
    () => 'migrate',
  );
  for (const name of ['ingest', 'worker']) {
    const [command, ...args] = commandOf(stages, name);
    await step(
      name,
      async () => {
        const service = await launch({
          name,
          command,
          args,
          cwd,
          env,
          record,
          logFile: join(folder, 'logs', `${name}.log`),
        });
        await untilAnswers(service, () => isReady(ports[name]));
      },
      () => 'ready',
    );
  }
};

try {
  say(line('node', process.version));
  await build();
  await runImages();
  say('\nEvery step of the Dockerfile ran in a clean folder, and each image’s command works there.');
} catch (error) {
  say(`\n${error.message}`);
  process.exitCode = 1;
} finally {
  for (const running of started.reverse()) await stop(running);
  rmSync(folder, { recursive: true, force: true });
}
