import { describe, expect, it, vi } from 'vitest';
import { HeldScopes, type Check, type ScopeSource } from './held-scopes.js';
import { ScopeCache } from './scope-cache.js';

/** A row of another scope: its changes only move the snapshot. */
const ELSEWHERE = 0;

/** A database with one scope of numbered rows, whose snapshots are numbers. */
class Database implements ScopeSource<string, number, HeldRows, Check<number>> {
  readonly rows = new Map<number, string>([[1, 'one']]);
  /** Keys of rows, by the number of the snapshot that first sees the change. */
  readonly changes: number[] = [];
  readonly reads: (readonly number[])[] = [];
  isAway = false;
  knowsChanges = true;
  isTooLarge = false;
  /** Run before a read or a check returns. */
  duringRead: () => Promise<void> | void = () => undefined;
  duringCheck: () => Promise<void> | void = () => undefined;

  change(key: number, value: string): void {
    this.rows.set(key, value);
    this.changes.push(key);
  }

  readonly keyOf = (scope: string) => scope;
  readonly create = () => new HeldRows();
  async check(_: string, since: string | null): Promise<Check<number>> {
    if (this.isAway) throw new Error('away');
    const newer = this.changes.slice(Number(since)).filter((key) => key !== ELSEWHERE);
    const changed = since === null || !this.knowsChanges ? null : [...new Set(newer)];
    const asOf = String(this.changes.length);
    await this.duringCheck();
    return { asOf, changed };
  }
  async readAll(_: string, held: HeldRows): Promise<boolean> {
    for (const [key, value] of this.rows) held.rows.set(key, value);
    await this.duringRead();
    return !this.isTooLarge;
  }
  async read(_: string, changed: readonly number[]): Promise<(held: HeldRows) => void> {
    this.reads.push(changed);
    const values = changed.map((key) => [key, this.rows.get(key) ?? ''] as const);
    await this.duringRead();
    return ({ rows }) => values.forEach(([key, value]) => rows.set(key, value));
  }
  readonly isTooMuch = (_: HeldRows, changed: readonly number[]) => changed.length > 3;
}

class HeldRows {
  readonly rows = new Map<number, string>();
  readonly bytes = 1;
}

const loaded = async (prepare: (database: Database) => void = () => undefined) => {
  const database = new Database();
  prepare(database);
  const scopes = new HeldScopes(database, new ScopeCache(100, () => 0));
  scopes.searched('scope', 1);
  scopes.searched('scope', 1);
  await new Promise(setImmediate);
  /** The rows as the search finds them. */
  const open = async () => {
    const opened = await scopes.open('scope');
    return opened === null ? undefined : new Map(opened.held.rows);
  };
  return { database, scopes, open };
};

describe('held scopes', () => {
  it('are loaded by their second search', async () => {
    const database = new Database();
    const scopes = new HeldScopes(database, new ScopeCache(100, () => 0));
    scopes.searched('scope', 1);
    await new Promise(setImmediate);
    expect(await scopes.open('scope')).toBeNull();
    scopes.searched('scope', 1);
    await new Promise(setImmediate);
    expect((await scopes.open('scope'))?.held.rows).toEqual(database.rows);
  });

  it('show every change since they were read, and read only the changed rows', async () => {
    const { database, open } = await loaded();
    database.change(1, 'changed');
    database.change(2, 'added');
    expect(await open()).toEqual(database.rows);
    expect(await open()).toEqual(database.rows);
    expect(database.reads).toEqual([[1, 2]]);
  });

  it('show a change that was made while they were loaded', async () => {
    const { database, open } = await loaded((database) => {
      database.duringRead = () => {
        database.change(1, 'changed');
        database.duringRead = () => undefined;
      };
    });
    expect(await open()).toEqual(database.rows);
  });

  it('show a change that was made while another one was read', async () => {
    const { database, open } = await loaded();
    database.change(1, 'changed');
    database.duringRead = () => {
      database.change(1, 'changed again');
      database.duringRead = () => undefined;
    };
    expect(await open()).toEqual(database.rows);
  });

  it('do not take an earlier state that another search puts during a check for the current one', async () => {
    const { database, open } = await loaded();
    const steps: (() => void)[] = [];
    const step = () => new Promise<void>((resolve) => steps.push(resolve));
    const settled = () => new Promise(setImmediate);
    database.change(1, 'first');
    database.duringRead = step;
    const early = open();
    await settled();
    database.change(1, 'second');
    database.duringRead = () => undefined;
    await open();
    database.duringCheck = step;
    const checking = open();
    await settled();
    // The early search puts its state and checks again; this check is answered last.
    for (let next = steps.shift(); next !== undefined; next = steps.shift()) {
      next();
      await settled();
    }
    expect(await checking).toEqual(database.rows);
    expect(await early).toEqual(database.rows);
  });

  it('are read by many searches at once while others write elsewhere', async () => {
    const { database, open, scopes } = await loaded();
    database.duringCheck = () => void database.changes.push(ELSEWHERE);
    const check = vi.spyOn(database, 'check');
    const found = await Promise.all(Array.from({ length: 8 }, open));
    expect(found).toEqual(found.map(() => database.rows));
    expect(check).toHaveBeenCalledTimes(8);
    expect(scopes.peek('scope')).toBeDefined();
  });

  it('stay if a search always finds that another one has put something', async () => {
    const { database, open, scopes } = await loaded();
    // Each check is answered after another search has put a change.
    const putAnother = async () => {
      database.duringCheck = () => undefined;
      database.change(1, 'changed');
      await open();
      database.duringCheck = putAnother;
    };
    database.duringCheck = putAnother;
    expect(await open()).toBeUndefined();
    expect(scopes.peek('scope')).toBeDefined();
    database.duringCheck = () => undefined;
    expect(await open()).toEqual(database.rows);
  });

  it('are not loaded again while they are held, though some of their searches read the database', async () => {
    const { database, scopes } = await loaded();
    const readAll = vi.spyOn(database, 'readAll');
    for (let search = 0; search < 5; search += 1) scopes.searched('scope', 1);
    await new Promise(setImmediate);
    expect(readAll).not.toHaveBeenCalled();
  });

  it.each([
    [
      'more has changed than is worth reading',
      (database: Database) => [1, 2, 3, 4].forEach((key) => database.change(key, 'x')),
    ],
    ['the database cannot tell what has changed', (database: Database) => (database.knowsChanges = false)],
  ])('are forgotten if %s', async (_, happens) => {
    const { database, open, scopes } = await loaded();
    happens(database);
    expect(await open()).toBeUndefined();
    expect(scopes.peek('scope')).toBeUndefined();
  });

  it('stay when the database is away, and the search fails', async () => {
    const { database, open, scopes } = await loaded();
    database.isAway = true;
    await expect(open()).rejects.toThrow('away');
    database.isAway = false;
    expect(scopes.peek('scope')).toBeDefined();
    expect(await open()).toEqual(database.rows);
  });

  it('are not held if they are too large', async () => {
    const { scopes } = await loaded((database) => (database.isTooLarge = true));
    expect(scopes.peek('scope')).toBeUndefined();
  });

  it('are not loaded again while they are held', async () => {
    const { database, scopes } = await loaded();
    const readAll = vi.spyOn(database, 'readAll');
    for (let search = 0; search < 10; search += 1) scopes.searched('scope', 1);
    await new Promise(setImmediate);
    expect(readAll).not.toHaveBeenCalled();
  });

  it('are loaded one at a time', async () => {
    const database = new Database();
    const readAll = vi.spyOn(database, 'readAll');
    let finish: () => void = () => undefined;
    database.duringRead = () => new Promise<void>((resolve) => (finish = resolve));
    const scopes = new HeldScopes(database, new ScopeCache(100, () => 0));
    for (const scope of ['a', 'a', 'b', 'b']) scopes.searched(scope, 1);
    await new Promise(setImmediate);
    expect(readAll).toHaveBeenCalledTimes(1);
    finish();
    await new Promise(setImmediate);
    scopes.searched('b', 1);
    scopes.searched('b', 1);
    await new Promise(setImmediate);
    expect(readAll).toHaveBeenCalledTimes(2);
    finish();
  });
});
