import { say } from '../../tools/shared/steps.mjs';
import { median, quantile } from '../statistics.mjs';

/** Required p99 of the delivery time without hanging endpoints, in milliseconds. */
const CALM_P99_MS = 300;
/** Maximum change in the others' delivery time while half of the endpoints hang. */
const MAX_RATIO = 1.1;

export const summary = (times) =>
  `${times.length} histories, median ${median(times).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`;

/**
 * The compared sides: half of the endpoints hang, against all of them answering. `alone` has half as many deliveries,
 * so it is for comparison only.
 */
const RATIOS = [
  { name: 'half hang / all answer', against: 'all answer', wanted: MAX_RATIO },
  { name: 'half hang / alone', against: 'alone', wanted: null },
];

const verdictOn = (ratio, wanted) => {
  if (wanted === null) return '';
  return `at most ${wanted}: ${ratio <= wanted ? 'reached' : 'NOT REACHED'}`;
};

/** Prints every side, the ratios of every round and their medians. */
export const report = (results, { healthy, stopsPerSecond }) => {
  say(`${stopsPerSecond} agents stop in a second; ${healthy} endpoints are measured, beside as many others or none.\n`);
  say('| side | median of medians, ms | median of p99, ms |');
  say('|---|---|---|');
  for (const [name, rounds] of Object.entries(results)) {
    const middle = median(rounds.map(median));
    const p99 = median(rounds.map((times) => quantile(times, 0.99)));
    say(`| ${name} | ${middle.toFixed(1)} | ${p99.toFixed(1)} |`);
  }
  say(`\n| ratio of medians | by round | median | wanted |`);
  say('|---|---|---|---|');
  for (const { name, against, wanted } of RATIOS) {
    const ratios = results['half hang'].map((times, round) => median(times) / median(results[against][round]));
    const middle = median(ratios);
    const byRound = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
    say(`| ${name} | ${byRound} | ${middle.toFixed(2)} | ${verdictOn(middle, wanted)} |`);
  }
  const calm = median(results['all answer'].map((times) => quantile(times, 0.99)));
  const verdict = calm <= CALM_P99_MS ? 'reached' : 'NOT REACHED';
  say(`\nWhen all answer, p99: ${calm.toFixed(1)} ms; wanted at most ${CALM_P99_MS}: ${verdict}`);
  reportCpu(results['all answer']);
};

const reportCpu = (rounds) => {
  const processes = Object.keys(rounds[0].cpu);
  if (processes.length === 0) return;
  const parts = processes.map((name) => `${name} ${(median(rounds.map(({ cpu }) => cpu[name])) / 1_000).toFixed(1)}`);
  say(`CPU, milliseconds per delivery when all answer (median): ${parts.join(', ')}`);
};
