import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { storedData } from './workload.mjs';

const ROWS = 10_000;
const SESSIONS = 160;
/** The columns that an append of a message fills. */
const COLUMNS = `partition, position, event_id, tenant_id, memory_id, session_key, sequence, type, schema_version, data,
  occurred_at, recorded_at, expires_at, fingerprint`;

/** One COPY as a query of node-postgres: the driver has the messages, but no query that uses them. */
class CopyIn {
  constructor(text, chunk, done) {
    this.text = text;
    this.chunk = chunk;
    this.done = done;
  }
  submit(connection) {
    connection.query(this.text);
  }
  handleCopyInResponse(connection) {
    connection.sendCopyFromChunk(this.chunk);
    connection.endCopyFrom();
  }
  handleCommandComplete() {}
  handleError(error) {
    this.done(error);
  }
  handleReadyForQuery() {
    this.done(null);
  }
}

/**
 * One connection that only COPYs rows like the log's into a table like the log's, with the same indexes, 10,000 per
 * durable transaction. Generating the rows is not timed.
 */
export class CopyRows {
  constructor(client) {
    this.client = client;
    this.position = 0;
  }

  static async open(databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('drop table if exists copied_events; create table copied_events (like events including all)');
    return new CopyRows(client);
  }

  /** @returns {Promise<{ rows: number, seconds: number, cpu: number }>} cpu: our own, in microseconds */
  async run(seconds) {
    let rows = 0;
    let spent = 0;
    let cpu = 0;
    while (spent < seconds) {
      const chunk = this.nextChunk();
      const started = performance.now();
      const before = process.cpuUsage();
      await this.copy(chunk);
      spent += (performance.now() - started) / 1000;
      const used = process.cpuUsage(before);
      cpu += used.user + used.system;
      rows += ROWS;
    }
    return { rows, seconds: spent, cpu };
  }

  /** @returns {Promise<void>} */
  copy(chunk) {
    return new Promise((resolve, reject) => {
      const done = (error) => (error ? reject(error) : resolve());
      this.client.query(new CopyIn(`copy copied_events (${COLUMNS}) from stdin`, chunk, done));
    });
  }

  nextChunk() {
    const lines = [];
    const now = new Date().toISOString();
    const later = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const data = storedData.replaceAll('\\', '\\\\');
    for (let row = 0; row < ROWS; row += 1) {
      const session = this.position % SESSIONS;
      const sequence = Math.floor(this.position / SESSIONS) + 1;
      this.position += 1;
      lines.push(
        [
          ...[0, this.position, uuidV7(), TENANT, MEMORY, session, sequence, 'message.appended', 1, data],
          ...['\\N', now, later, '\\N'],
        ].join('\t'),
      );
    }
    return Buffer.from(`${lines.join('\n')}\n`);
  }

  async close() {
    await this.client.query('drop table copied_events');
    await this.client.end();
  }
}

const TENANT = '019aa3c5-0000-7000-8000-000000000001';
const MEMORY = '019aa3c5-0000-7000-8000-000000000002';

/** Ordered by time, like the log's ids: random ones would slow the index down. */
const uuidV7 = () => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
