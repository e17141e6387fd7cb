import { say } from '../../tools/shared/steps.mjs';

/** Longest delivery time when all is calm that is promised for 99 of 100, in milliseconds. */
const CALM_P99_MS = 300;
/** How much the others' delivery time may move while half of the endpoints hang. */
const MOST_RATIO = 1.1;

const quantile = (times, share) => {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
};
const median = (values) => quantile(values, 0.5);

export const summary = (times) =>
  `${times.length} histories, median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`;

/** Prints both sides, the ratio of every round and its median. */
export const report = (results, { endpoints, stopsPerSecond }) => {
  say(`${stopsPerSecond} agents stop in a second; each history goes to ${endpoints} endpoints on one origin.\n`);
  say('| side | median of medians, ms | median of p99, ms |');
  say('|---|---|---|');
  for (const [name, rounds] of Object.entries(results)) {
    const [middle, p99] = [0.5, 0.99].map((share) => median(rounds.map((times) => quantile(times, share))));
    say(`| ${name} | ${middle.toFixed(1)} | ${p99.toFixed(1)} |`);
  }
  say('\n| half hang / calm | by round | median | wanted |');
  say('|---|---|---|---|');
  for (const [name, share] of [
    ['median', 0.5],
    ['p99', 0.99],
  ]) {
    const ratios = results.calm.map(
      (calm, round) => quantile(results['half hang'][round], share) / quantile(calm, share),
    );
    const verdict = median(ratios) <= MOST_RATIO ? 'reached' : 'NOT REACHED';
    say(
      `| ${name} | ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} | ${median(ratios).toFixed(2)} | at most ${MOST_RATIO}: ${verdict} |`,
    );
  }
  const calm = median(results.calm.map((times) => quantile(times, 0.99)));
  say(
    `\nCalm, p99: ${calm.toFixed(1)} ms; wanted at most ${CALM_P99_MS}: ${calm <= CALM_P99_MS ? 'reached' : 'NOT REACHED'}`,
  );
};
