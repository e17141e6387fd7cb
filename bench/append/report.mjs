import { say } from '../../tools/shared/steps.mjs';
import { whole } from '../measuring.mjs';
import { median } from '../statistics.mjs';

/** The compared sides, and the required ratios. */
const RATIOS = [
  { name: 'single events, 64 connections', side: 'single 64', against: 'bare 64', atLeast: 0.22, aim: 0.4 },
  { name: 'single events, 256 connections', side: 'single 256', against: 'bare 256', atLeast: 0.28, aim: 0.5 },
  { name: 'batches of 100 against COPY', side: 'batches 8', against: 'copy', atLeast: 0.5, aim: 0.75 },
];

const BAR = 40;

/** Prints the rate that lasts, and the lag over time. */
export const reportLasting = ({ events, seconds, lag, cpu, lags }) => {
  const lasting = events / (seconds + lag);
  const all = Object.values(cpu).reduce((sum, time) => sum + time, 0);
  say(
    `\nLasting rate: ${whole(lasting)} events/s (${whole(events / seconds)} for ${whole(seconds)} s, then ${lag.toFixed(1)} s ` +
      `until everything had caught up), ${one(all)} µs of CPU per event.\n`,
  );
  const most = Math.max(1, ...lags.map((look) => look.events));
  for (const look of lags) {
    const bar = '#'.repeat(Math.round((BAR * look.events) / most));
    say(`${look.at.toFixed(0).padStart(4)} s ${whole(look.events).padStart(9)} events behind ${bar}`);
  }
  say();
};

/** Prints every side, the ratio of every round, its median, and the CPU time per process. */
export const report = (results) => {
  say('| side | events/s, median (min-max) | p50 / p99 ms | lag of relay and worker at the end, s |');
  say('|---|---|---|---|');
  for (const [name, rounds] of Object.entries(results)) {
    const latency = rounds[0].p50 === undefined ? '' : `${medianOf(rounds, 'p50')} / ${medianOf(rounds, 'p99')}`;
    const range = `${whole(Math.min(...rates(rounds)))}-${whole(Math.max(...rates(rounds)))}`;
    say(
      `| ${name} | ${whole(median(rates(rounds)))} (${range}) | ${latency} | ${medianOf(rounds, 'lag').toFixed(2)} |`,
    );
  }
  say('\n| ratio | by round | median | wanted |');
  say('|---|---|---|---|');
  for (const { name, side, against, atLeast, aim } of RATIOS) {
    const ratios = results[side].map((round, index) => round.rate / results[against][index].rate);
    const verdict = median(ratios) >= atLeast ? 'reached' : 'NOT REACHED';
    say(`| ${name} | ${ratios.map(two).join(', ')} | ${two(median(ratios))} | ${atLeast}: ${verdict}; aim ${aim} |`);
  }
  reportCpu(results);
};

const reportCpu = (results) => {
  const processes = Object.keys(Object.values(results)[0][0].cpu);
  if (processes.length === 0) return;
  say('\nWhat limits it: CPU, microseconds per event by process (median), until relay and worker were done.\n');
  say(`| side | ${processes.join(' | ')} | all |`);
  say(`|---|${processes.map(() => '---|').join('')}---|`);
  for (const [name, rounds] of Object.entries(results)) {
    const times = processes.map((process) => median(rounds.map(({ cpu }) => cpu[process])));
    say(`| ${name} | ${times.map(one).join(' | ')} | ${one(times.reduce((sum, time) => sum + time, 0))} |`);
  }
};

const rates = (rounds) => rounds.map(({ rate }) => rate);
const medianOf = (rounds, field) => median(rounds.map((round) => round[field]));
const one = (value) => value.toFixed(1);
const two = (value) => value.toFixed(2);
