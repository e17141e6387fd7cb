import { createHash, randomUUID } from 'node:crypto';
import type { TransferLine } from '@turnkeeper/contracts';
import type { LogEvent, Memory, MemoryCreated } from '@turnkeeper/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../ports.js';
import { ImportMemory } from './import-memory.js';

const STAMP = '2026-01-01T00:00:00.000Z';
const tenantId = randomUUID();

const head = (memoryId: string): TransferLine => ({
  kind: 'memory',
  format: 1,
  memoryId,
  name: 'moved',
  description: '',
  eventExpiryDuration: 30,
});
const strategy = (parts: Partial<Extract<TransferLine, { kind: 'strategy' }>> = {}): TransferLine => ({
  kind: 'strategy',
  strategyId: randomUUID(),
  name: 'facts',
  type: 'SEMANTIC',
  version: 1,
  namespaceTemplate: '/{actorId}',
  automatic: true,
  customPrompt: null,
  outputSchema: null,
  rolling: null,
  status: 'ACTIVE',
  ...parts,
});
const record = (): TransferLine => ({
  kind: 'record',
  recordId: randomUUID(),
  text: 'Likes tea.',
  namespace: '/ada',
  strategyId: null,
  strategyVersion: null,
  actorId: 'ada',
  extractor: 'none',
  model: null,
  promptHash: null,
  slot: null,
  sources: [],
  statedAt: STAMP,
  createdAt: STAMP,
  updatedAt: STAMP,
  supersededBy: null,
  validTo: null,
});
const event = (): TransferLine => ({
  kind: 'event',
  type: 'message.appended',
  actorId: 'ada',
  sessionId: 's',
  eventId: randomUUID(),
  at: STAMP,
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content: 'hi' },
});

describe('an import', () => {
  let created: MemoryCreated[];
  /** Numbers of records per batch. */
  let batches: number[];
  let stored: Memory | null;
  beforeEach(() => {
    created = [];
    batches = [];
    stored = null;
  });

  /** Ports that note what is stored; one that an import does not use is missing. */
  const ports = (): Ports => {
    const tx = { recordedAt: async () => STAMP };
    type Appended = { readonly append: readonly { readonly events: readonly LogEvent[] }[]; result(): unknown };
    return {
      ids: {
        next: randomUUID,
        derive: (...parts: unknown[]) => createHash('sha256').update(parts.join()).digest('hex').slice(0, 32),
      },
      unitOfWork: {
        appendFor: async (_: string, work: (tx: unknown) => Promise<Appended>) => {
          const { append, result } = await work(tx);
          for (const { type, data } of append.flatMap(({ events }) => events)) {
            if (type === 'memory.created') created.push(data);
          }
          return result();
        },
      },
      memories: {
        find: async () => null,
        findForUpdate: async () => stored,
        save: async (_: unknown, memory: Memory) => void (stored = memory),
      },
      eventStore: { append: async () => [] },
      erasure: { holdActors: async () => undefined },
      recordWriter: {
        save: async (_: unknown, __: unknown, records: readonly unknown[]) => batches.push(records.length),
      },
      extractionSchedule: { countAsRead: async () => undefined },
    } as unknown as Ports;
  };
  const importing = (...lines: readonly TransferLine[]) => importingOf(1, ...lines);
  const importingOf = (bytes: number, ...lines: readonly TransferLine[]) =>
    new ImportMemory(ports()).execute(
      tenantId,
      (async function* () {
        for (const line of [head(randomUUID()), ...lines]) yield { line, bytes };
      })(),
      'keep',
    );
  const end = (events: number, records: number): TransferLine => ({ kind: 'end', events, records });

  it('takes as many strategies as a memory can have', async () => {
    await importing(...Array.from({ length: 10 }, () => strategy()), end(0, 0));
    expect(created.map(({ strategies }) => strategies.length)).toEqual([10]);
  });

  it('is rejected at the first strategy too many, whatever follows, and leaves nothing', async () => {
    let read = 0;
    const lines = (async function* () {
      yield { line: head(randomUUID()), bytes: 1 };
      for (; read < 300; read += 1) yield { line: strategy(), bytes: 1 };
    })();
    await expect(new ImportMemory(ports()).execute(tenantId, lines, 'new')).rejects.toMatchObject({
      code: 'import.line_invalid',
      details: { facts: { line: 12 }, rule: 'must be strategy in 10 lines at most' },
    });
    expect(read).toBe(10);
    expect(created).toEqual([]);
  });

  const twice = strategy();
  it.each([
    ['an unknown variable', [strategy({ namespaceTemplate: '/{userId}' })], 2, 'namespaceTemplate'],
    ['adjacent variables', [strategy({ namespaceTemplate: '/{actorId}{sessionId}' })], 2, 'namespaceTemplate'],
    ['an id of an earlier strategy', [twice, twice], 3, 'strategyId'],
    ['a place after an event', [event(), strategy()], 3, 'kind'],
  ] as const)('is rejected for a strategy with %s', async (_, lines, line, field) => {
    await expect(importing(...lines, end(0, 0))).rejects.toMatchObject({
      code: 'import.line_invalid',
      details: { field, facts: { line } },
    });
  });

  it('buffers records by number and by bytes', async () => {
    const records = Array.from({ length: 30 }, record);
    await importing(...records, end(0, 30));
    expect(batches).toEqual([25, 5]);
    batches = [];
    await importingOf(600_000, ...records.slice(0, 5), end(0, 5));
    expect(batches).toEqual([2, 2, 1]);
  });
});
