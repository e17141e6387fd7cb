import { rateBudgetsLaws } from '@turnkeeper/testing';
import { afterAll, beforeAll } from 'vitest';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { PgRateBudgets } from './rate-budgets.js';

let database: ReadModelDatabase;
beforeAll(async () => {
  database = await ReadModelDatabase.create();
});
afterAll(() => database?.close());

rateBudgetsLaws('Postgres', () => new PgRateBudgets(database.dataSource));
