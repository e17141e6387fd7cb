import pg from 'pg';

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  client_min_messages: 'log',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
};

/** New connections to this database report the plan of every statement, also of those inside functions. */
export const reportPlans = async (database) => {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    for (const [name, value] of Object.entries(SETTINGS)) {
      await client.query(`alter database ${client.database} set ${name} = '${value}'`);
    }
  } finally {
    await client.end();
  }
};

/** Collects the plans that connections of these pools report. */
export class Plans {
  constructor(pools) {
    this.plans = [];
    const listen = (client) => client.on('notice', ({ message }) => this.plans.push(message));
    for (const pool of pools) {
      pool.on('connect', listen);
      // Connections that are open already.
      for (const client of pool._clients) listen(client);
    }
  }

  /** The scans of each statement that `work` has run: table, index, and rows found of rows expected. */
  async of(work) {
    return (await this.reportsOf(work)).flatMap(scansOf);
  }

  /** The plans of the statements on turns and records that `work` has run, as EXPLAIN ANALYZE prints them. */
  async treesOf(work) {
    return (await this.reportsOf(work)).flatMap(treeOf);
  }

  async reportsOf(work) {
    this.plans = [];
    await work();
    return this.plans;
  }
}

const SCAN = /(Seq Scan|Index Scan|Index Only Scan|Bitmap Index Scan)(?: using (\w+))? on (\w+)/u;
const ACTUAL = /actual rows=([\d.]+) loops=(\d+)/u;

const LONGEST_LINE = 140;
/** Literals of this run's ids, and conditions that are too long to read. */
const shortLine = (line) => {
  const plain = line.replaceAll(/'[^']{24,}'/gu, "'…'");
  return plain.length > LONGEST_LINE && !plain.includes('(cost=') ? `${plain.slice(0, LONGEST_LINE)} …` : plain;
};

const DETAILS = /^\s*(?:Storage|Batches|Sort Method|Index Searches|Heap Blocks):/u;
const LABEL = /^\s*(?:InitPlan|SubPlan|CTE) \S+$/u;
const indentOf = (line) => line.search(/\S|$/u);

/** A plan without the branches that this question did not need, and without sizes of memory. */
const executed = (lines) => {
  const kept = [];
  let skipBelow = Infinity;
  for (const line of lines) {
    const indent = indentOf(line);
    if (indent > skipBelow) continue;
    skipBelow = line.includes('(never executed)') ? indent : Infinity;
    if (skipBelow === Infinity && !DETAILS.test(line)) kept.push(line);
  }
  return kept.filter((line, at) => !LABEL.test(line) || indentOf(kept[at + 1] ?? '') > indentOf(line));
};

const treeOf = (report) => {
  const { firstNode, lines, statement } = partsOf(report);
  const isOfSearch = lines.some((line) => /^(?:turn|record)/u.test(SCAN.exec(line)?.[3] ?? ''));
  if (firstNode < 0 || !isOfSearch) return [];
  return [{ statement, plan: executed(lines.slice(firstNode)).map(shortLine).join('\n').trimEnd() }];
};

/** A report is the statement's text, its parameters, and its plan, whose nodes have `(cost=`. */
const partsOf = (report) => {
  const lines = report.split('\n');
  const firstNode = lines.findIndex((line) => line.includes('(cost='));
  const text = lines
    .slice(0, firstNode)
    .join(' ')
    .replace(/^(?:duration: \S+ ms\s+plan:)?\s*(?:Query Text:)?/u, '');
  return { lines, firstNode, statement: text.replaceAll(/\s+/gu, ' ').trim() };
};

const scansOf = (report) => {
  const { lines, statement } = partsOf(report);
  const scans = lines.flatMap((line) => {
    const [, kind, index, table] = SCAN.exec(line) ?? [];
    const [, rows, loops] = ACTUAL.exec(line) ?? [];
    if (kind === undefined || rows === undefined) return [];
    return [`${kind}${index === undefined ? '' : ` using ${index}`} on ${table}: ${rows} rows, ${loops} times`];
  });
  return scans.length === 0 || !/turn|records/u.test(statement) ? [] : [{ statement: statement.slice(0, 70), scans }];
};
