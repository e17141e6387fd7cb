import { originalText } from '@turnkeeper/domain';
import type { Backend, NewMessage } from './backend.js';
import type { ContextMessage, ExactMatchOptions, Metadata } from './types.js';
import { openSqlite, type SqliteDatabase, type SqliteDriver } from './sqlite.js';

/** The schema of `SQLiteShortTermMemory`, so that its files can be opened, and its Python class can open ours. */
const SCHEMA = `
PRAGMA busy_timeout = 5000;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS memory (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT    NOT NULL,
  role       TEXT    NOT NULL,
  content    TEXT    NOT NULL,
  metadata   TEXT,
  timestamp  DATETIME DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX IF NOT EXISTS idx_session_id ON memory(session_id);
CREATE INDEX IF NOT EXISTS idx_question ON memory(substr(content, 1, 64));
`;

const answerSql = (order: 'ASC' | 'DESC'): string => `
SELECT answer.content, answer.metadata
FROM memory question
JOIN memory answer
  ON answer.id = (SELECT min(id) FROM memory WHERE session_id = question.session_id AND id > question.id)
WHERE substr(question.content, 1, 64) = substr(?1, 1, 64)
  AND question.content = ?1
  AND lower(question.role) IN ('user', 'human')
  AND lower(answer.role) IN ('assistant', 'ai')
  AND answer.content <> ''
  AND (?2 IS NULL OR question.session_id = ?2)
ORDER BY question.id ${order}
LIMIT 1`;

interface Row {
  readonly role: string;
  readonly content: string;
  readonly metadata: string | null;
  readonly timestamp: string;
}

/** Messages of one actor in a SQLite file. Several processes can use it; each call is one transaction. */
export class FileBackend implements Backend {
  private opened: Promise<SqliteDatabase> | undefined;

  constructor(
    private readonly path: string,
    private readonly drivers?: readonly SqliteDriver[],
  ) {}

  async add(sessionId: string, { role, content, metadata }: NewMessage): Promise<void> {
    const database = await this.database();
    // The time is the default of the column: the Python class orders by its text.
    database
      .prepare('INSERT INTO memory (session_id, role, content, metadata) VALUES (?, ?, ?, ?)')
      .run(sessionId, role, content, metadata === undefined ? null : JSON.stringify(metadata));
  }

  async context(sessionId: string, limit: number): Promise<ContextMessage[]> {
    const database = await this.database();
    const rows = database
      .prepare('SELECT role, content, metadata, timestamp FROM memory WHERE session_id = ? ORDER BY id DESC LIMIT ?')
      .all(sessionId, limit) as Row[];
    return rows.reverse().map(({ role, content, metadata, timestamp }) => ({
      role,
      content,
      metadata: metadataOf(metadata) ?? null,
      timestamp: isoOf(timestamp),
    }));
  }

  async answer(query: string, { sessionId, prefer = 'newest' }: ExactMatchOptions): Promise<string | null> {
    const database = await this.database();
    const found = database.prepare(answerSql(prefer === 'newest' ? 'DESC' : 'ASC')).get(query, sessionId ?? null) as
      Pick<Row, 'content' | 'metadata'> | undefined;
    if (found === undefined) return null;
    const metadata = metadataOf(found.metadata);
    return originalText({ content: found.content, ...(metadata === undefined ? {} : { metadata }) });
  }

  async clear(sessionId: string): Promise<void> {
    (await this.database()).prepare('DELETE FROM memory WHERE session_id = ?').run(sessionId);
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    (await opened)?.close();
  }

  private database(): Promise<SqliteDatabase> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = undefined; // the next call tries again
      throw error;
    });
    return this.opened;
  }

  private async open(): Promise<SqliteDatabase> {
    const database = await openSqlite(this.path, this.drivers);
    database.exec(SCHEMA);
    return database;
  }
}

const metadataOf = (text: string | null): Metadata | undefined =>
  text === null ? undefined : (JSON.parse(text) as Metadata);

/** SQLite's own clock writes `2026-01-02 03:04:05`, in UTC; files of earlier versions have ISO 8601. */
const isoOf = (timestamp: string): string =>
  timestamp.includes('T') ? timestamp : new Date(`${timestamp.replace(' ', 'T')}Z`).toISOString();
