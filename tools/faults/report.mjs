import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../shared/steps.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { READERS } from './readers.mjs';

/** How long after an outage of Postgres its effects can last. */
const RECOVERY_MS = 5_000;
/** Longest run of 503 answers to one writer, and longest read while a third party holds a lock. */
const AT_MOST_MS = 2_000;
/** An action that no writer ever did would make its checks empty; a short run need not have drawn each. */
const COMPLETE_AFTER_MINUTES = 2;
const ACTIONS = [
  'say',
  'state',
  'late',
  'repeat',
  'batch',
  'ask',
  'contest',
  'giveUp',
  'erase',
  'session',
  'actor',
  'note',
  'correct',
  'stop',
];

const PROMISES = {
  ...Object.fromEntries(Object.entries(READERS).map(([name, { promise }]) => [name, promise])),
  records:
    'A stated fact is one record that cites it; records inserted and corrected are found; none cites what is gone',
  webhook: 'The history webhook is one message with the same bytes at every attempt and exactly the history',
  'event 103': 'So is Agora’s event 103',
};
const PLACES = {
  answers: 'No answer is a 500, no repeat gets another answer, of two writers at one sequence one succeeds',
  extraction: 'Every session is extracted to its end',
  webhooks: 'Every stop is told',
  streams: 'JetStream has every event by its id, also after it was wiped',
  traces: 'What was erased is in no table, stream or queue',
  log: 'Positions and sequences are dense; rebuilding gives the same projections',
  parked: 'Nothing is parked',
  faults: 'Every fault took place',
  waits: 'At most 2 s of 503 in a row while Postgres is up; no read waits 2 s for the lock of a third party',
};

/**
 * Prints what happened and what was wrong.
 *
 * @returns {boolean} whether nothing was
 */
export const report = ({ options, faults, oracle, writers, world, found, blocked }) => {
  const outages = writers.clients.flatMap((client) => client.outages);
  const rows = rowsOf(faults, outages, oracle.times);
  found.waits = waitsOf(faults, outages, oracle.times);
  const never = ACTIONS.filter((action) => !writers.done.has(action));
  if (options.minutes >= COMPLETE_AFTER_MINUTES)
    found.answers.push(...never.map((action) => `never acknowledged: ${action}`));

  const lines = [
    `\`${commandOf(options)}\`: ${writers.acknowledged.toLocaleString('en')} acknowledged messages in ${world.conversations.size.toLocaleString('en')} conversations under ${faults.length} faults.`,
    '',
    '| promise | checked | broken |',
    '| --- | ---: | ---: |',
    ...Object.entries(PROMISES).map(([name, promise]) => {
      const { reads, faults: broken } = oracle.found[name];
      return `| ${promise} (${name}) | ${reads.toLocaleString('en')} | ${broken.length} |`;
    }),
    ...Object.entries(PLACES).map(([name, promise]) => `| ${promise} (${name}) | at the end | ${found[name].length} |`),
    '',
    '| fault | times | longest write, s | longest read, s |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
  ];
  const broken = [...Object.entries(oracle.found).map(([name, each]) => [name, each.faults]), ...Object.entries(found)];
  say(`\n${lines.join('\n')}\n`);
  const longest = outages.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, 5);
  for (const { what, from, to, statuses } of longest)
    say(`${seconds(to - from)} s from ${from}, ${nameAt(faults, from)}: ${what}: ${statuses.join(' ')}`);
  for (const { text, seconds: waited, at } of blocked.slice(0, 8))
    say(`${waited.toFixed(1)} s for a lock until ${at}, ${nameAt(faults, at)}: ${text}`);
  const unread = oracle.times.filter(({ answered }) => !answered).length;
  for (const reader of Object.keys(READERS)) {
    const all = oracle.times
      .filter((time) => time.reader === reader)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    say(`${reader}: ${all.length} median ${all[all.length >> 1]} ms, longest ${all.at(-1)} ms`);
  }
  say(`Reads without an answer: ${unread} of ${oracle.times.length}.`);
  for (const [name, list] of broken)
    if (list.length > 0)
      say(
        `Broken, ${name}: ${list.length}${list
          .slice(0, 8)
          .map((text) => `\n  ${text}`)
          .join('')}`,
      );
  if (options.record) record(lines);
  return broken.every(([, list]) => list.length === 0) && writers.acknowledged > 0;
};

const commandOf = ({ minutes, seed, queue, writers, faultSeconds }) =>
  `npm run faults -- --minutes ${minutes} --seed ${seed} --queue ${queue} --writers ${writers} --fault-seconds ${faultSeconds}`;
const seconds = (ms) => (ms / 1_000).toFixed(1);
const overlaps = (fault, { from, to }) => from <= fault.to && to >= fault.from;

const rowsOf = (faults, outages, times) => {
  const byName = {};
  for (const fault of faults) (byName[fault.name] ??= []).push(fault);
  return Object.entries(byName)
    .sort()
    .map(([name, list]) => {
      const felt = (all) => all.filter((each) => list.some((fault) => overlaps(fault, each)));
      const write = Math.max(0, ...felt(outages).map(({ from, to }) => to - from));
      const read = Math.max(
        0,
        ...felt(times.map((time) => ({ ...time, to: time.from + time.ms }))).map(({ ms }) => ms),
      );
      return `| ${name} | ${list.length} | ${seconds(write)} | ${seconds(read)} |`;
    });
};

export const waitsOf = (faults, outages, times) => {
  const away = faults.filter(({ takesPostgres }) => takesPostgres);
  const isExcused = (each) => away.some((fault) => overlaps({ ...fault, to: fault.to + RECOVERY_MS }, each));
  const unavailable = outages
    .filter((outage) => outage.unavailableMs > AT_MOST_MS && !isExcused(outage))
    .map(({ from, unavailableMs }) => `503 for ${seconds(unavailableMs)} s at ${from}: ${nameAt(faults, from)}`);
  const locks = faults.filter(({ isLock }) => isLock);
  const waited = times
    .map((time) => ({ ...time, to: time.from + time.ms }))
    .filter((time) => time.ms > AT_MOST_MS && locks.some((fault) => time.from >= fault.from && time.from <= fault.to))
    .map(({ from, ms }) => `a read took ${seconds(ms)} s at ${from}: ${nameAt(faults, from)}`);
  return [...unavailable, ...waited];
};

const nameAt = (faults, at) => {
  const last = faults.findLast(({ from }) => from <= at);
  return last ? `${last.name} ${last.target}` : 'no fault';
};

const MARKS = ['<!-- last run -->', '<!-- end of last run -->'];

/** Into the page of promises. */
const record = (lines) => {
  const file = join(workspaceRoot, 'docs', 'reliability.md');
  const text = readFileSync(file, 'utf8');
  const [start, end] = MARKS.map((mark) => text.indexOf(mark));
  writeFileSync(file, `${text.slice(0, start)}${MARKS[0]}\n\n${lines.join('\n')}\n\n${text.slice(end)}`);
};
