// Performs every kind of write to the log, and stops itself with SIGSTOP after every statement that it sends. Usage:
// node frozen-writer.mjs '{"databaseUrl", "seed", "happenings"}'. Prints how often each thing happened.
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { runnerImport } from 'vite';

// The packages come from the build, which `npm test` makes first.
const { liveWhile } = (
  await runnerImport(fileURLToPath(new URL('../src/testing/frozen-life.ts', import.meta.url)), {
    configFile: false,
    logLevel: 'error',
  })
).module;

let stopping = false;
const { query } = pg.Client.prototype;
/** @this {pg.Client} */
function stoppingQuery(...values) {
  const answer = Reflect.apply(query, this, values);
  // Node has passed the statement to the kernel by now; the answer is not read before the process continues.
  if (stopping) process.kill(process.pid, 'SIGSTOP');
  return answer;
}
pg.Client.prototype.query = /** @type {any} */ (stoppingQuery);
const stoppingAtEveryStatement = async (work) => {
  stopping = true;
  try {
    return await work();
  } finally {
    stopping = false;
  }
};

const happened = await liveWhile(JSON.parse(process.argv[2]), stoppingAtEveryStatement);
process.stdout.write(JSON.stringify(happened));
