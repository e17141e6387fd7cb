// Appends single events at a steady rate until stdin ends, then prints all latencies as JSON. A request's time counts
// from when it was due, so a stall counts for every request it delayed.
// Usage: node probe.mjs '{"url", "memoryId", "apiKey", "rate"}'
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPaths, singleBody } from './workload.mjs';

const { url, memoryId, apiKey, rate } = JSON.parse(process.argv[2]);
const CONNECTIONS = 64;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const paths = newPaths(memoryId, CONNECTIONS);
const times = [];
let refused = 0;
let failed = 0;
let sent = 0;
let stopping = false;

const append = (index) =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const call = request(new URL(paths[index % paths.length], url), { method: 'POST', headers, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', () => resolve(0));
    });
    call.once('error', () => resolve(0));
    call.end(singleBody(index));
  });

const inFlight = new Set();
const send = (due) => {
  const one = append(sent).then((status) => {
    times.push(performance.now() - due);
    if (status === 503) refused += 1;
    else if (status !== 200 && status !== 201) failed += 1;
    inFlight.delete(one);
  });
  sent += 1;
  inFlight.add(one);
};

process.stdin.resume().once('end', () => (stopping = true));
const began = performance.now();
while (!stopping) {
  for (let due = began + (sent * 1_000) / rate; due <= performance.now(); due += 1_000 / rate) send(due);
  await sleep(1);
}
await Promise.all(inFlight);
const answer = { requests: sent, refused, failed, times: times.map((time) => Math.round(time * 10) / 10) };
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
