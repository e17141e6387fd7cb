// What traces cost an append: installations without traces, with one request in a hundred traced, and with all.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { runAndStop } from '../../tools/shared/run-and-stop.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { Installation } from '../append/installation.mjs';
import { measureSide } from '../append/append.mjs';
import { whole } from '../measuring.mjs';
import { median } from '../statistics.mjs';

const SIDES = { off: null, '1 %': '0.01', 'all requests': '1' };
const LOAD = { connections: 64, target: 'ingest', per: 1 };
const SERVICES = ['ingest', 'worker', 'postgres', 'nats', 'redis'];
const REQUIRED = { '1 %': 1.1 };

/**
 * All installations run at the same time and are loaded in turn, so that a round compares processes of the same age.
 *
 * @param {{ rounds: number, seconds: number, warmup: number }} options
 */
export const run = async ({ rounds, seconds, warmup }) => {
  const collector = await Collector.start();
  const names = Object.keys(SIDES);
  const installations = names.map((name, index) => {
    const ratio = SIDES[name];
    const settings = ratio === null ? {} : collector.settings(index, ratio);
    return new Installation({ name: `tracing-${index}`, settings });
  });
  const started = {
    stop: async () => {
      for (const installation of installations) await installation.stop();
      collector.stop();
    },
  };
  await runAndStop(started, async () => {
    for (const installation of installations) await installation.start();
    for (const installation of warmup > 0 ? installations : []) await measureSide(installation, null, LOAD, warmup);
    const results = Object.fromEntries(names.map((name) => [name, /** @type {any[]} */ ([])]));
    for (let round = 1; round <= rounds; round += 1) {
      for (let turn = 0; turn < names.length; turn += 1) {
        // Each side is the first of a round as often as the others.
        const side = (round + turn) % names.length;
        const result = await step(
          `round ${round}`,
          () => measureSide(installations[side], null, LOAD, seconds),
          ({ rate }) => `${names[side]}: ${whole(rate)} events/s`,
        );
        results[names[side]].push(result);
      }
    }
    const sent = names.map((_, side) => collector.sentBy(side));
    report(results, sent);
  });
};

/** An OTLP/HTTP receiver that counts what it gets from each side. */
class Collector {
  /** @type {Map<string, number>} bytes by path */
  bytes = new Map();
  server = createServer((request, response) => {
    const path = request.url ?? '';
    request.on('data', (chunk) => this.bytes.set(path, (this.bytes.get(path) ?? 0) + chunk.length));
    request.once('end', () => response.end());
  });

  /** @returns {Promise<Collector>} */
  static async start() {
    const collector = new Collector();
    await once(collector.server.listen(0, '127.0.0.1'), 'listening');
    return collector;
  }

  /** @param {number} side */
  sentBy(side) {
    return this.bytes.get(`/${side}/v1/traces`) ?? 0;
  }

  /** @param {number} side @param {string} ratio @returns {Record<string, string>} */
  settings(side, ratio) {
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.server.address());
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/${side}`,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: ratio,
    };
  }

  stop() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const report = (results, sent) => {
  const cpuOf = ({ cpu }) => SERVICES.reduce((sum, name) => sum + cpu[name], 0);
  say('\n| traces | events/s | µs of CPU per event: ingest | worker | Postgres | services | to off | kB sent |');
  say('|---|---|---|---|---|---|---|---|');
  const off = median(results.off.map(cpuOf));
  for (const [side, [name, rounds]] of Object.entries(results).entries()) {
    const all = median(rounds.map(cpuOf));
    const ratios = rounds.map((round, index) => (cpuOf(round) / cpuOf(results.off[index])).toFixed(2));
    const of = (process) => median(rounds.map(({ cpu }) => cpu[process])).toFixed(0);
    const required = REQUIRED[name];
    const verdict = required === undefined ? '' : all / off <= required ? ': reached' : ': NOT REACHED';
    if (required !== undefined && all / off > required) process.exitCode = 1;
    if (name !== 'off' && sent[side] === 0) throw new Error('No trace reached the collector.');
    say(
      `| ${name} | ${whole(median(rounds.map(({ rate }) => rate)))} | ${of('ingest')}` +
        ` | ${of('worker')} | ${of('postgres')} | ${all.toFixed(0)} | ${(all / off).toFixed(2)} (${ratios.join(', ')})${verdict}` +
        ` | ${Math.round(sent[side] / 1_000)} |`,
    );
  }
};
