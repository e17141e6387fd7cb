import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortTermMemoryLaws } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileBackend } from './file-backend.js';
import { ShortTermMemory } from './index.js';
import { openSqlite } from './sqlite.js';

let folder: string;
let files = 0;
const opened: ShortTermMemory[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'short-term-memory-'));
});
afterAll(async () => {
  for (const memory of opened) await memory.close();
  await rm(folder, { recursive: true, force: true });
});
const newFile = (): string => join(folder, `${(files += 1)}.db`);
const open = (file: string): ShortTermMemory => {
  const memory = new ShortTermMemory(file);
  opened.push(memory);
  return memory;
};

shortTermMemoryLaws('A memory in a file', async () => open(newFile()));

describe('a memory in a file', () => {
  it('is there after it was closed, and in another process at once', async () => {
    const file = newFile();
    const memory = open(file);
    await memory.addMemory('s', 'user', 'Xin chào, Đà Nẵng 🌊', { a: [1] });
    const another = open(file);
    expect(await another.getContext('s')).toMatchObject([{ content: 'Xin chào, Đà Nẵng 🌊', metadata: { a: [1] } }]);
    await memory.close();
    await another.close();
    await memory.addMemory('s', 'assistant', 'again');
    expect(await another.formatAsString('s')).toBe('USER: Xin chào, Đà Nẵng 🌊\n\nASSISTANT: again');
    expect((await readFile(file)).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it('opens a file of SQLiteShortTermMemory', async () => {
    const file = newFile();
    const database = await openSqlite(file);
    database.exec(`
      CREATE TABLE memory (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
        content TEXT NOT NULL, metadata TEXT, timestamp DATETIME DEFAULT CURRENT_TIMESTAMP);
      CREATE INDEX idx_session_id ON memory(session_id);
      INSERT INTO memory (session_id, role, content, metadata, timestamp)
        VALUES ('s', 'user', 'Hi', NULL, '2026-01-02 03:04:05'), ('s', 'assistant', 'Hello', '{"tokens": 2}', '2026-01-02 03:04:06');
    `);
    database.close();
    const memory = open(file);
    expect(await memory.getContext('s')).toEqual([
      { role: 'user', content: 'Hi', metadata: null, timestamp: '2026-01-02T03:04:05.000Z' },
      { role: 'assistant', content: 'Hello', metadata: { tokens: 2 }, timestamp: '2026-01-02T03:04:06.000Z' },
    ]);
    expect(await memory.getExactMatchAnswer('Hi')).toBe('Hello');
    await memory.addMemory('s', 'user', 'Again');
    const written = await openSqlite(file);
    const { timestamp } = written.prepare('SELECT timestamp FROM memory ORDER BY id DESC').get() as {
      timestamp: string;
    };
    written.close();
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  it('uses an index for the window and the exact match', async () => {
    const file = newFile();
    await open(file).addMemory('s', 'user', 'Hi');
    const database = await openSqlite(file);
    const plans = [
      "SELECT role FROM memory WHERE session_id = 's' ORDER BY id DESC LIMIT 5",
      "SELECT role FROM memory WHERE substr(content, 1, 64) = substr('Hi', 1, 64) AND content = 'Hi'",
    ].map((sql) => JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()));
    database.close();
    expect(plans[0]).toContain('idx_session_id');
    expect(plans[0]).not.toContain('TEMP B-TREE');
    expect(plans[1]).toContain('idx_question');
  });

  it('reports a file that cannot be opened, and tries again with the next call', async () => {
    const later = join(folder, 'not-yet', 'x.db');
    const memory = open(later);
    await expect(memory.addMemory('s', 'user', 'hi')).rejects.toThrow();
    expect(existsSync(later)).toBe(false);
    expect(() => new ShortTermMemory('')).toThrow(RangeError);
  });

  it('says what is missing if there is no SQLite', async () => {
    const backend = new FileBackend(newFile(), []);
    await expect(backend.context('s', 1)).rejects.toThrow('npm install libsql');
  });
});
