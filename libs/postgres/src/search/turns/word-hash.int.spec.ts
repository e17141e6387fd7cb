import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import { WordHash } from './word-hash.js';

let database: TestDatabase;
let sql: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = new pg.Client(database.url);
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

it('hashes words as Postgres does, of any length and in any script', async () => {
  const [tenantId, memoryId] = [randomUUID(), randomUUID()];
  const words = [
    ...Array.from({ length: 40 }, (_, length) => 'bicycle-'.repeat(5).slice(0, length)),
    'đường',
    '北京',
    '🐈',
  ];
  words.push('x'.repeat(1_000));
  const { rows } = await sql.query<{ hash: number }>(
    `select (hashtextextended(w, hashtextextended($2, hashtextextended($1, 0))) & 4294967295)::bit(32)::integer as hash
     from unnest($3::text[]) with ordinality as x (w, n) order by n`,
    [tenantId, memoryId, words],
  );
  const hashes = WordHash.ofMemory(tenantId, memoryId);
  expect(words.map((word) => hashes.of(word))).toEqual(rows.map(({ hash }) => hash));
});
