import { randomUUID } from 'node:crypto';
import type { UnitOfWork } from '@turnkeeper/application';
import { ImportIdTaken, type Memory, type RecordSnapshot } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseRoles } from '../access/database-roles.js';
import { createDataSource } from '../connections/database.js';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { recordSnapshot } from '../testing/record-snapshot.js';
import { TypeOrmUnitOfWork } from '../connections/unit-of-work.js';
import { TypeOrmMemoryStore } from './memories/memory-store.js';
import { PgRecordReader } from './records/record-reader.js';
import { PgRecordWriter } from './records/record-writer.js';

const STAMP = '2026-01-01T00:00:00.000Z';
const stamps = { createdAt: STAMP, updatedAt: STAMP };

const memoryOf = (tenantId: string, strategyId: string, more: Partial<Memory> = {}): Memory => ({
  tenantId,
  memoryId: randomUUID(),
  name: 'mine',
  description: '',
  eventExpiryDuration: 30,
  status: 'ACTIVE',
  ...stamps,
  strategies: [
    {
      strategyId,
      name: 'facts',
      type: 'SEMANTIC',
      version: 1,
      namespaceTemplate: '/{actorId}',
      automatic: true,
      customPrompt: null,
      rolling: null,
      status: 'ACTIVE',
      ...stamps,
    },
  ],
  ...more,
});

const recordOf = (recordId: string, text: string): RecordSnapshot =>
  recordSnapshot(STAMP, { recordId, text, namespace: '/ada' });

describe.each([false, true])('an id owned by another tenant or memory, with row-level security: %s', (secured) => {
  let database: ReadModelDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let memories: TypeOrmMemoryStore;
  const recordWriter = new PgRecordWriter();
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    const url = (database.dataSource.options as { url: string }).url;
    await database.rows('select secure_tables()');
    const roles = await databaseRoles(url, secured ? 'required' : 'off');
    dataSource = createDataSource({ url, poolSize: 2, roles });
    await dataSource.initialize();
    unitOfWork = new TypeOrmUnitOfWork(dataSource);
    memories = new TypeOrmMemoryStore(dataSource);
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.close();
  });

  const saveMemory = (memory: Memory) => unitOfWork.runFor(memory.tenantId, (tx) => memories.save(tx, memory));
  const saveRecord = ({ tenantId, memoryId }: Memory, record: RecordSnapshot) =>
    unitOfWork.runFor(tenantId, (tx) =>
      recordWriter.save(tx, { tenantId, memoryId, eventId: randomUUID(), sessionKey: null }, [record]),
    );
  const everything = async () => [
    await database.rows('select * from memories order by memory_id'),
    await database.rows('select * from strategies order by strategy_id'),
    await database.rows('select * from records order by record_id'),
  ];

  it('does not change the memory, strategy or record that has it', async () => {
    const [owner, thief] = [randomUUID(), randomUUID()];
    const [strategyId, recordId] = [randomUUID(), randomUUID()];
    const owned = memoryOf(owner, strategyId);
    await saveMemory(owned);
    await saveRecord(owned, recordOf(recordId, 'Likes tea.'));
    const stolen = memoryOf(thief, randomUUID());
    await saveMemory(stolen);
    // The owner's other memory is equally off limits.
    const beside = memoryOf(owner, randomUUID());
    await saveMemory(beside);
    const before = await everything();

    const takes = [
      () => saveMemory({ ...memoryOf(thief, randomUUID()), memoryId: owned.memoryId, name: 'stolen' }),
      () => saveMemory({ ...stolen, strategies: memoryOf(thief, strategyId).strategies }),
      () => saveMemory({ ...beside, strategies: memoryOf(owner, strategyId).strategies }),
      () => saveRecord(beside, recordOf(recordId, 'Hates tea.')),
    ];
    for (const take of takes) await expect(take()).rejects.toThrow(ImportIdTaken);
    expect(await everything()).toEqual(before);
  });

  it('can be the id of a record of each of them', async () => {
    const [owned, other] = [memoryOf(randomUUID(), randomUUID()), memoryOf(randomUUID(), randomUUID())];
    for (const memory of [owned, other]) await saveMemory(memory);
    const recordId = randomUUID();
    await saveRecord(owned, recordOf(recordId, 'Likes tea.'));
    await saveRecord(other, recordOf(recordId, 'Hates tea.'));
    const reader = new PgRecordReader(dataSource);
    const textIn = async ({ tenantId, memoryId }: Memory) => (await reader.find(tenantId, memoryId, recordId))?.text;
    expect([await textIn(owned), await textIn(other)]).toEqual(['Likes tea.', 'Hates tea.']);
  });

  it('is replaced if its own memory writes it', async () => {
    const memory = memoryOf(randomUUID(), randomUUID());
    await saveMemory(memory);
    await saveMemory({ ...memory, name: 'renamed', strategies: [{ ...memory.strategies[0]!, status: 'DISABLED' }] });
    expect(await memories.find(memory.tenantId, memory.memoryId)).toMatchObject({ name: 'renamed' });
    expect(await memories.strategies(memory.tenantId, memory.memoryId)).toMatchObject([{ status: 'DISABLED' }]);
    const record = recordOf(randomUUID(), 'Likes tea.');
    await saveRecord(memory, record);
    await saveRecord(memory, { ...record, text: 'Likes green tea.' });
    expect(await new PgRecordReader(dataSource).find(memory.tenantId, memory.memoryId, record.recordId)).toMatchObject({
      text: 'Likes green tea.',
    });
  });
});
