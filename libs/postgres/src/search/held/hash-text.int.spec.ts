import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateDatabase } from '../../index.js';
import { hashText, memorySeed, wordKey } from './hash-text.js';

let database: TestDatabase;
let sql: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateDatabase(database.url);
  sql = new pg.Client(database.url);
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Of every length up to 40 bytes, with characters of one to four bytes. */
const TEXTS = [
  ...Array.from({ length: 41 }, (_, length) => 'abcdefghijklmnopqrstuvwxyz0123456789-_. '.slice(0, length)),
  ...['bánh mì', '生日快乐', '🦜🦜🦜', 'żółw', 'naïve café'],
];

it('hashes texts as Postgres does', async () => {
  const tenantId = '00000000-0000-4000-8000-000000000001';
  const memoryId = '9d5b4e0a-7c2f-4d0e-a3ce-2a4a1e0f9b77';
  const { rows } = await sql.query<{ plain: string; word: number; seed: string }>(
    `select hashtextextended(t, 0)::text as plain, turn_memory($2, $3)::text as seed,
            (hashtextextended(t, turn_memory($2, $3)) & 9007199254740991)::float8 as word
     from unnest($1::text[]) with ordinality u (t, n) order by n`,
    [TEXTS, tenantId, memoryId],
  );
  const seed = memorySeed(tenantId, memoryId);
  const signed = ({ high, low }: typeof seed) => String(BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)));
  expect(rows.map(({ plain }) => plain)).toEqual(TEXTS.map((text) => signed(hashText(text, { high: 0, low: 0 }))));
  expect(rows[0]?.seed).toBe(signed(seed));
  expect(rows.map(({ word }) => word)).toEqual(TEXTS.map((text) => wordKey(hashText(text, seed))));
});
