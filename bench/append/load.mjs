// Puts load on one route and prints the result as JSON. A separate process, so that it does not slow either side.
// Usage: node load.mjs '{"url", "memoryId", "apiKey", "batches", "connections", "seconds"}'
import autocannon from 'autocannon';
import { batchBody, newPaths, singleBody } from './workload.mjs';

const { url, memoryId, apiKey, batches, connections, seconds } = JSON.parse(process.argv[2]);
const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
const bodyOf = batches ? batchBody : singleBody;
const requests = newPaths(memoryId, connections).map((path, session) => {
  return { method: 'POST', path, headers, body: bodyOf(session) };
});

// Every connection cycles through its own sessions, so that they have ordinary length.
const perConnection = requests.length / connections;
let next = 0;
const before = process.cpuUsage();
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  headers,
  method: 'POST',
  setupClient: (client) => {
    client.setRequests(requests.slice(next, next + perConnection));
    next += perConnection;
  },
});

const cpu = process.cpuUsage(before);

process.stdout.write(
  JSON.stringify({
    requests: result['2xx'],
    failures: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: cpu.user + cpu.system,
  }),
);
