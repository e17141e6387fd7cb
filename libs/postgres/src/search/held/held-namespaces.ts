import { HeldRecords, type AskedWord, type HeldRecord } from '@turnkeeper/search';
import type { DataSource } from 'typeorm';
import { preparedRowsFor } from '../../connections/database.js';
import { integersIn } from '../turns/postings.js';
import { HeldScopes, type Check, type ScopeSource } from './held-scopes.js';
import { ScopeCache, type Held } from './scope-cache.js';

/** A namespace with the query to check it with. */
export interface NamespaceScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly namespace: string;
  readonly text: string;
  /** Names of whom the records are about. */
  readonly subjects: string;
}

/** Result of `check_held_records`. */
export interface RecordsCheck extends Check<string> {
  readonly asked: readonly AskedWord[];
}

/** The records of namespaces that are searched often. */
export type NamespacesInMemory = HeldScopes<NamespaceScope, string, HeldNamespace, RecordsCheck>;

/** @param bytes how much they may take; 0 holds none */
export const namespacesInMemory = (dataSource: DataSource, bytes: number): NamespacesInMemory =>
  new HeldScopes(new HeldNamespaces(dataSource), new ScopeCache(bytes));

/** Larger namespaces are searched in Postgres. */
const MOST_RECORDS = 10_000;
/** Records read per statement. */
const RECORDS_PER_PAGE = 500;
/** Records that a search reads again. */
const MOST_CHANGED = 100;
/** Before the newest record. */
const NEWEST: RecordPlace = { created_at: 'infinity', record_id: '00000000-0000-0000-0000-000000000000' };

/** The records of a namespace in memory. */
export class HeldNamespace implements Held {
  readonly records = new HeldRecords();

  /** @param subjects names of whom the records are about, as of the last search */
  constructor(public subjects: string) {}

  get bytes(): number {
    return this.records.bytes;
  }
}

/** Reads the records of namespaces into memory. */
class HeldNamespaces implements ScopeSource<NamespaceScope, string, HeldNamespace, RecordsCheck> {
  constructor(private readonly dataSource: DataSource) {}

  keyOf({ tenantId, memoryId, namespace }: NamespaceScope): string {
    return `${tenantId} ${memoryId} ${namespace}`;
  }

  create({ subjects }: NamespaceScope): HeldNamespace {
    return new HeldNamespace(subjects);
  }

  async check(scope: NamespaceScope, since: string | null): Promise<RecordsCheck> {
    const [row] = await preparedRowsFor<CheckRow>(this.dataSource, scope.tenantId, {
      name: 'check_held_records',
      text: 'select as_of, record_ids, asked from check_held_records($1, $2, $3, $4, $5, $6)',
      values: [scope.tenantId, scope.memoryId, scope.namespace, since, scope.text, scope.subjects],
    });
    return { asOf: row?.as_of ?? '', changed: row?.record_ids ?? null, asked: wordsFrom(row?.asked ?? null) };
  }

  async readAll(scope: NamespaceScope, held: HeldNamespace): Promise<boolean> {
    for (let after: RecordPlace = NEWEST; ;) {
      const rows = await this.list(scope, null, after);
      for (const row of rows) held.records.set(recordOf(row));
      const last = rows.at(-1);
      if (held.records.size > MOST_RECORDS) return false;
      if (last === undefined || rows.length < RECORDS_PER_PAGE) return true;
      after = last;
    }
  }

  async read(scope: NamespaceScope, changed: readonly string[]): Promise<(held: HeldNamespace) => void> {
    const rows = await this.list(scope, changed, NEWEST);
    return (held) => {
      for (const recordId of changed) held.records.delete(recordId);
      for (const row of rows) held.records.set(recordOf(row));
    };
  }

  isTooMuch(_: HeldNamespace, changed: readonly string[]): boolean {
    return changed.length > MOST_CHANGED;
  }

  private list(
    { tenantId, memoryId, namespace }: NamespaceScope,
    chosen: readonly string[] | null,
    after: RecordPlace,
  ): Promise<RecordTerms[]> {
    return preparedRowsFor<RecordTerms>(this.dataSource, tenantId, {
      name: 'list_held_records',
      text: `select record_id, created_at::text, created, is_superseded, actor_id, terms, has_sources, sources
             from list_held_records($1, $2, $3, $4, $5, $6, $7)`,
      values: [tenantId, memoryId, namespace, chosen, after.created_at, after.record_id, RECORDS_PER_PAGE],
    });
  }
}

interface CheckRow {
  readonly as_of: string;
  readonly record_ids: string[] | null;
  /** `word exact subject term term …,…` */
  readonly asked: string | null;
}

/** A record's place from the newest to the oldest. */
interface RecordPlace {
  /** With microseconds. */
  readonly created_at: string;
  readonly record_id: string;
}

/** A row of `list_held_records`. */
interface RecordTerms extends RecordPlace {
  readonly created: number;
  readonly is_superseded: boolean;
  readonly actor_id: string | null;
  readonly terms: string | null;
  readonly has_sources: boolean;
  /** `session sequence …` */
  readonly sources: string | null;
}

const recordOf = (row: RecordTerms): HeldRecord => {
  const sources = row.sources === null ? [] : integersIn(row.sources);
  return {
    ...{ recordId: row.record_id, created: row.created, isSuperseded: row.is_superseded, actorId: row.actor_id },
    ...{ terms: row.terms === null ? [] : integersIn(row.terms), hasSources: row.has_sources },
    sources: Array.from({ length: sources.length / 2 }, (_, at) => ({
      sessionKey: sources[2 * at] as number,
      sequence: sources[2 * at + 1] as number,
    })),
  };
};

const wordsFrom = (packed: string | null): AskedWord[] =>
  (packed === null ? [] : packed.split(',')).map((word) => {
    const [number = 0, exact = 0, isSubject = 0, ...terms] = integersIn(word);
    return { word: number, exact, isSubject: isSubject === 1, terms };
  });
