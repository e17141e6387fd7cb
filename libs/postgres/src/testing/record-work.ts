import { randomUUID } from 'node:crypto';
import { factKey, type ExtractedRecord, type LogEvent, type RecordsExtracted } from '@turnkeeper/domain';
import { PgRecordReader } from '../projections/records/record-reader.js';
import { PgRecordWriter } from '../projections/records/record-writer.js';
import { ReadModelDatabase } from './read-model-database.js';

export const NAMESPACE = '/ada';
/** A query for all records that match at all. */
export const ANY = { limit: 100, scoreThreshold: 0 };

/** The stores of records on their own database, and steps that tests repeat. */
export class RecordWork {
  database!: ReadModelDatabase;
  reader!: PgRecordReader;
  readonly writer = new PgRecordWriter();
  tenantId = randomUUID();
  memoryId = randomUUID();
  private clock = Date.parse('2026-01-01T00:00:00Z');

  readonly start = async (): Promise<void> => {
    this.database = await ReadModelDatabase.create();
    this.reader = new PgRecordReader(this.database.dataSource);
  };
  readonly close = () => this.database?.close();
  /** Changes to a memory without records, of a tenant without other memories. */
  readonly newMemory = (): void => {
    this.tenantId = randomUUID();
    this.memoryId = randomUUID();
  };

  readonly source = (quote: string, sequence = 1, role = 'user') => ({ eventId: randomUUID(), sequence, role, quote });
  readonly record = (text: string, more: Partial<ExtractedRecord> = {}): ExtractedRecord => ({
    recordId: randomUUID(),
    text,
    namespace: NAMESPACE,
    sources: [this.source(text)],
    statedAt: '2026-01-01T00:00:00.000Z',
    slot: null,
    ...more,
  });
  /** Projects one extraction, a minute after the previous one. */
  readonly apply = (
    data: Partial<RecordsExtracted>,
    scope: { tenantId?: string; memoryId?: string; sessionId?: string; sessionKey?: number } = {},
  ) => {
    const { tenantId, memoryId } = this;
    const event: Omit<LogEvent<'records.extracted'>, 'position'> = {
      tenantId,
      memoryId,
      actorId: 'ada',
      sessionId: 'thread',
      sessionKey: 7,
      ...scope,
      eventId: randomUUID(),
      type: 'records.extracted',
      schemaVersion: 1,
      sequence: null,
      occurredAt: null,
      expiresAt: null,
      recordedAt: new Date((this.clock += 60_000)).toISOString(),
      data: {
        strategyId: randomUUID(),
        strategyVersion: 3,
        fromSequence: 1,
        toSequence: 9,
        extractor: 'offline-rules@1',
        model: null,
        promptHash: 'abc',
        rawAnswer: '',
        records: [],
        confirmed: [],
        superseded: [],
        refused: [],
        ...data,
      },
    };
    return this.database.unitOfWork.run(async (tx) => {
      await this.writer.apply(tx, event);
      return event;
    });
  };
  readonly list = (namespace = NAMESPACE) => this.reader.newest(this.tenantId, this.memoryId, namespace, 100);
  /** Texts and scores. */
  readonly search = async (text: string, query: Partial<typeof ANY> = {}, namespace = NAMESPACE) =>
    (await this.reader.search(this.tenantId, this.memoryId, namespace, { ...ANY, ...query, text })).map(
      (hit) => [hit.text, hit.score] as const,
    );
  /** Texts alone. */
  readonly found = async (...query: Parameters<RecordWork['search']>) =>
    (await this.search(...query)).map(([text]) => text);
  readonly known = (texts: readonly string[], slotKeys: readonly string[] = []) =>
    this.database.unitOfWork.run((tx) =>
      this.writer.known(tx, this.memoryId, NAMESPACE, { factKeys: texts.map(factKey), slotKeys }),
    );
}
