import { say } from '../../tools/shared/steps.mjs';

/** Maximum slowdown of p99 next to other work. */
const WANTED = 2;

export const describeSides = ({ alone, beside, lasted, what }) =>
  `p99 ${ms(alone.p99)} ms calm, ${ms(beside.p99)} ms beside ${what} (${lasted.toFixed(1)} s)`;

/** Prints the medians of the rounds per kind of work, and the worst values of what must not happen at all. */
export const reportBeside = (results) => {
  say('\n| beside | calm p50 / p99 ms | beside p50 / p99 (max) ms | p99 by round, to calm | median | 503 |');
  say('|---|---|---|---|---|---|');
  for (const [name, rounds] of Object.entries(results)) {
    const ratios = rounds.map(({ alone, beside }) => beside.p99 / alone.p99);
    const refused = total(rounds, 'refused');
    const failed = total(rounds, 'failed');
    const reached = median(ratios) <= WANTED && refused + failed === 0;
    if (!reached) process.exitCode = 1;
    say(
      `| ${name} | ${middle(rounds, 'alone', 'p50')} / ${middle(rounds, 'alone', 'p99')}` +
        ` | ${middle(rounds, 'beside', 'p50')} / ${middle(rounds, 'beside', 'p99')} (${ms(Math.max(...rounds.map(({ beside }) => beside.max)))})` +
        ` | ${ratios.map(two).join(', ')} | ${two(median(ratios))}: ${reached ? 'reached' : 'NOT REACHED'}` +
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
const total = (rounds, field) => rounds.reduce((sum, { alone, beside }) => sum + alone[field] + beside[field], 0);
const middle = (rounds, side, field) => ms(median(rounds.map((round) => round[side][field])));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
const ms = (value) => value.toFixed(1);
const two = (value) => value.toFixed(2);
