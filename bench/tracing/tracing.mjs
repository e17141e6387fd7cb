// What traces cost an append: installations without traces, with one request in a hundred traced, and with all.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { say, step } from '../../tools/shared/steps.mjs';
import { Installation } from '../append/installation.mjs';
import { measureSide } from '../append/append.mjs';
import { runAndStop } from '../stoppable.mjs';
import { median } from '../statistics.mjs';

const SIDES = { off: null, '1 %': '0.01', 'all requests': '1' };
const LOAD = { connections: 64, target: 'ingest', per: 1 };
const SERVICES = ['ingest', 'worker', 'postgres', 'nats', 'redis'];
const REQUIRED = { '1 %': 1.1 };

/** @param {{ rounds: number, seconds: number, warmup: number }} options */
export const run = async ({ rounds, seconds, warmup }) => {
  const collector = await Collector.start();
  /** @type {Installation | null} */
  let current = null;
  const started = {
    stop: async () => {
      await current?.stop();
      collector.stop();
    },
  };
  await runAndStop(started, async () => {
    const results = Object.fromEntries(Object.keys(SIDES).map((name) => [name, /** @type {any[]} */ ([])]));
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, ratio] of Object.entries(SIDES)) {
        current = new Installation({ settings: ratio === null ? {} : collector.settings(ratio) });
        const installation = current;
        await installation.start();
        if (warmup > 0) await measureSide(installation, null, LOAD, warmup);
        const before = collector.bytes;
        const result = await step(
          `round ${round}`,
          () => measureSide(installation, null, LOAD, seconds),
          ({ rate }) => `${name}: ${Math.round(rate).toLocaleString('en-US')} events/s`,
        );
        results[name].push({ ...result, sent: collector.bytes - before });
        await installation.stop();
      }
    }
    report(results);
  });
};

/** An OTLP/HTTP receiver that counts what it gets. */
class Collector {
  bytes = 0;
  server = createServer((request, response) => {
    request.on('data', (chunk) => (this.bytes += chunk.length)).once('end', () => response.end());
  });

  /** @returns {Promise<Collector>} */
  static async start() {
    const collector = new Collector();
    await once(collector.server.listen(0, '127.0.0.1'), 'listening');
    return collector;
  }

  /** @param {string} ratio @returns {Record<string, string>} */
  settings(ratio) {
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.server.address());
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: ratio,
    };
  }

  stop() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const report = (results) => {
  const cpuOf = ({ cpu }) => SERVICES.reduce((sum, name) => sum + cpu[name], 0);
  say('\n| traces | events/s | µs of CPU per event: ingest | worker | Postgres | services | to off | kB sent |');
  say('|---|---|---|---|---|---|---|---|');
  const off = median(results.off.map(cpuOf));
  for (const [name, rounds] of Object.entries(results)) {
    const all = median(rounds.map(cpuOf));
    const ratios = rounds.map((round, index) => (cpuOf(round) / cpuOf(results.off[index])).toFixed(2));
    const of = (process) => median(rounds.map(({ cpu }) => cpu[process])).toFixed(0);
    const required = REQUIRED[name];
    const verdict = required === undefined ? '' : all / off <= required ? ': reached' : ': NOT REACHED';
    if (required !== undefined && all / off > required) process.exitCode = 1;
    if (name !== 'off' && rounds.some(({ sent }) => sent === 0)) throw new Error('No trace reached the collector.');
    say(
      `| ${name} | ${Math.round(median(rounds.map(({ rate }) => rate))).toLocaleString('en-US')} | ${of('ingest')}` +
        ` | ${of('worker')} | ${of('postgres')} | ${all.toFixed(0)} | ${(all / off).toFixed(2)} (${ratios.join(', ')})${verdict}` +
        ` | ${Math.round(median(rounds.map(({ sent }) => sent)) / 1_000)} |`,
    );
  }
};
