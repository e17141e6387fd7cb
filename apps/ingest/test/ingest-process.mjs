// The stores of an ingest in a separate process. Answers messages of its parent: { id, call: 'say' | 'stop', values }.
// Usage: fork('ingest-process.mjs', [databaseUrl, tenantId])
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

// The packages come from the build, which `npm test` makes first.
const { IngestStores } = (
  await runnerImport(fileURLToPath(new URL('../src/testing/agent-calls.ts', import.meta.url)), {
    configFile: false,
    logLevel: 'error',
  })
).module;

const ingest = await IngestStores.open(process.argv[2], process.argv[3]);
process.on('message', async ({ id, call, values }) => {
  try {
    process.send?.({ id, answer: await ingest[call](...values) });
  } catch (error) {
    process.send?.({ id, failed: { message: error.message, code: error.code } });
  }
});
process.on('disconnect', () => void ingest.close());
process.send?.('ready');
