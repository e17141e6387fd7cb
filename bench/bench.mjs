// `npm run bench -- NAME [options]`: measures Turnkeeper against something that does less, in one run.
import { parseArgs } from 'node:util';
import { script } from '../tools/shared/script.mjs';

const BENCHES = {
  append: {
    about: 'durable appends over HTTP against a bare route, and batches against COPY; --with: beside other work',
    load: () => import('./append/append.mjs'),
  },
  chat: {
    about: 'how much later the first word of a chat model comes with memory',
    load: () => import('./chat/chat.mjs'),
  },
  checkpoints: {
    about: 'checkpoints of LangGraph over HTTP, beside the official Postgres saver in process',
    load: () => import('./checkpoints/checkpoints.mjs'),
  },
  console: {
    about: 'how soon the console and a session of 100,000 turns can be used, beside an empty page',
    load: () => import('./console/console.mjs'),
  },
  memory: {
    about: 'what is remembered of known facts, in this process: npm run bench -- memory FILE [--half odd|even] [--llm]',
    load: () => import('./memory/memory.mjs'),
  },
  window: {
    about: 'windows and exact matches in ten million messages, beside ten thousand',
    load: () => import('./window/window.mjs'),
  },
  fairness: {
    about: "how soon a tenant's session is read, beside a tenant with 100,000 that wait",
    load: () => import('./fairness/fairness.mjs'),
  },
  hostile: {
    about: "what one tenant's hostile inputs cost another one, and whether both services stay alive",
    load: () => import('./hostile/hostile.mjs'),
  },
  neighbour: {
    about: "how long a tenant's searches and appends take beside each of another tenant's seven loads",
    load: () => import('./neighbour/neighbour.mjs'),
  },
  recall: {
    about: 'what a search finds of known answers: npm run bench -- recall FILE',
    load: () => import('./recall/recall.mjs'),
  },
  rebuild: {
    about: 'a rebuild of a million events, beside appends and searches',
    load: () => import('./rebuild/rebuild.mjs'),
  },
  search: {
    about: 'how long searches take among a million events: npm run bench -- search [FILE]',
    load: () => import('./search/search.mjs'),
  },
  tracing: {
    about: 'what OpenTelemetry traces cost an append: off, one request in a hundred, and all',
    load: () => import('./tracing/tracing.mjs'),
  },
  webhooks: {
    about: 'delivery of histories while half of the endpoints hang, beside none',
    load: () => import('./webhooks/webhooks.mjs'),
  },
};

/** Work that can run during the measured appends. */
const WORKS = ['extraction', 'inserts', 'import', 'erasure', 'expiry'];

const USAGE = `Usage: npm run bench -- NAME [--rounds 5] [--seconds 5] [--warmup 3]

${Object.entries(BENCHES)
  .map(([name, { about }]) => `  ${name.padEnd(11)} ${about}`)
  .join('\n')}

  --rounds   how often every side is measured; sides take turns inside a round
  --seconds  how long each measurement lasts
  --warmup   seconds of load on each side before the first round
  --lasting  append only: seconds of full load before everything derived catches up
  --with     append only, beside what: ${WORKS.join(', ')} or all
  --load     neighbour only: the loads whose name contains this, such as batches
  --plans    search only: a file for the plans of its largest searches
  --half     memory only: odd (the 1st, 3rd, … conversation of the file) or even
  --llm      memory only: the endpoint of LLM_BASE_URL, LLM_MODEL and LLM_API_KEY instead of notes
  --records  search only: records that were inserted, by words and by meaning, without a log of events
  --quick    search and --with: small sizes and one short round, to see that it works
`;

script(USAGE);

const bounded = (name, text, min, max) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    process.stderr.write(`--${name} must be a whole number from ${min} to ${max}.\n`);
    process.exit(2);
  }
  return value;
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    warmup: { type: 'string' },
    lasting: { type: 'string' },
    with: { type: 'string' },
    plans: { type: 'string' },
    records: { type: 'boolean', default: false },
    load: { type: 'string' },
    quick: { type: 'boolean', default: false },
    half: { type: 'string' },
    llm: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const bench = BENCHES[positionals[0]];
if (values.help || bench === undefined) {
  process.stdout.write(USAGE);
  process.exit(values.help ? 0 : 2);
}
if (values.with !== undefined && ![...WORKS, 'all'].includes(values.with)) {
  process.stderr.write(`--with must be one of ${WORKS.join(', ')} or all.\n`);
  process.exit(2);
}
const defaults = values.quick ? { rounds: '1', seconds: '2', warmup: '1' } : { rounds: '5', seconds: '5', warmup: '3' };
const { run } = await bench.load();
await run({
  file: positionals[1],
  beside: values.with,
  works: WORKS,
  quick: values.quick,
  half: values.half,
  llm: values.llm,
  plans: values.plans,
  records: values.records,
  load: values.load,
  rounds: bounded('rounds', values.rounds ?? defaults.rounds, 1, 50),
  seconds: bounded('seconds', values.seconds ?? defaults.seconds, 1, 60),
  warmup: bounded('warmup', values.warmup ?? defaults.warmup, 0, 60),
  lasting: bounded('lasting', values.lasting ?? (values.quick ? '5' : '60'), 1, 600),
});
