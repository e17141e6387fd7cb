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
    this.plans = [];
    await work();
    return this.plans.flatMap(scansOf);
  }
}

const SCAN = /(Seq Scan|Index Scan|Index Only Scan|Bitmap Index Scan)(?: using (\w+))? on (\w+)/u;
const ACTUAL = /actual rows=([\d.]+) loops=(\d+)/u;

/** A report is the statement's text, its parameters, and its plan, whose nodes have `(cost=`. */
const scansOf = (report) => {
  const lines = report.split('\n');
  const scans = lines.flatMap((line) => {
    const [, kind, index, table] = SCAN.exec(line) ?? [];
    const [, rows, loops] = ACTUAL.exec(line) ?? [];
    if (kind === undefined || rows === undefined) return [];
    return [`${kind}${index === undefined ? '' : ` using ${index}`} on ${table}: ${rows} rows, ${loops} times`];
  });
  const firstNode = lines.findIndex((line) => line.includes('(cost='));
  const statement = lines.slice(0, firstNode).join(' ').replace('Query Text:', '').replaceAll(/\s+/gu, ' ').trim();
  return scans.length === 0 || !/turn|records/u.test(statement) ? [] : [{ statement: statement.slice(0, 70), scans }];
};
