import { say } from '../../tools/shared/steps.mjs';
import { median, quantile } from '../statistics.mjs';

/** Maximum slowdown of p99 next to other work. */
const WANTED = 2;

/** @typedef {{ requests: number, refused: number, failed: number, times: number[] }} Load */

export const describeSides = ({ alone, besideOther, beside, lasted, what }) =>
  `p99 ${ms(quantileOf([alone], 0.99))} ms calm, ${ms(quantileOf([besideOther], 0.99))} ms beside another installation,` +
  ` ${ms(quantileOf([beside], 0.99))} ms beside ${what} (${lasted.toFixed(1)} s)`;

/**
 * Prints the latencies per kind of work, over the requests of all rounds: the p99 of one round of 200 requests a second
 * is the tenth slowest of a thousand, so one flush of the disk decides it.
 */
export const reportBeside = (results) => {
  say(
    '\n| beside | calm p50 / p99 ms | beside p50 / p99 (max) ms | beside, other installation | p99 to calm | by round | 503 |',
  );
  say('|---|---|---|---|---|---|---|');
  for (const [name, rounds] of Object.entries(results)) {
    const alone = rounds.map((round) => round.alone);
    const beside = rounds.map((round) => round.beside);
    const besideOther = rounds.map((round) => round.besideOther);
    const ratio = quantileOf(beside, 0.99) / quantileOf(alone, 0.99);
    const byRound = rounds.map((round) => quantileOf([round.beside], 0.99) / quantileOf([round.alone], 0.99));
    const [refused, failed] = [
      total([...alone, ...besideOther, ...beside], 'refused'),
      total([...alone, ...besideOther, ...beside], 'failed'),
    ];
    const reached = ratio <= WANTED && refused + failed === 0;
    if (!reached) process.exitCode = 1;
    say(
      `| ${name} | ${ms(quantileOf(alone, 0.5))} / ${ms(quantileOf(alone, 0.99))}` +
        ` | ${latencies(beside)} | ${latencies(besideOther)}` +
        ` | ${two(ratio)}: ${reached ? 'reached' : 'NOT REACHED'} | ${byRound.map(two).join(', ')}` +
        ` | ${refused}${failed > 0 ? ` and ${failed} other failures` : ''} |`,
    );
  }
  say(
    '\n| beside | what was done, s | head_wait mean / 99 % / all below, ms | head_hold mean / 99 % / all below, ms |',
  );
  say('|---|---|---|---|');
  for (const [name, rounds] of Object.entries(results)) {
    const work = rounds.map(({ what, lasted }) => `${what} (${lasted.toFixed(1)})`).join('; ');
    say(`| ${name} | ${work} | ${head(rounds, 'head_wait')} | ${head(rounds, 'head_hold')} |`);
  }
};

const head = (rounds, name) => {
  const all = rounds.map((round) => round.head[name]);
  const mean = median(all.map((each) => each.mean));
  return `${two(mean * 1_000)} / ${bound(all, 'p99')} / ${bound(all, 'most')}`;
};
const bound = (all, field) => `${Math.max(...all.map((each) => each[field])) * 1_000}`;
/** @param {Load[]} loads @param {'refused' | 'failed'} field */
const total = (loads, field) => loads.reduce((sum, load) => sum + load[field], 0);
/** @param {Load[]} loads @param {number} share */
const quantileOf = (loads, share) =>
  quantile(
    loads.flatMap(({ times }) => times),
    share,
  );
/** @param {Load[]} loads */
const latencies = (loads) =>
  `${ms(quantileOf(loads, 0.5))} / ${ms(quantileOf(loads, 0.99))} (${ms(quantileOf(loads, 1))})`;
const ms = (value) => value.toFixed(1);
const two = (value) => value.toFixed(2);
