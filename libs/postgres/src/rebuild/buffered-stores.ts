import type { SessionScope, Transaction } from '@turnkeeper/application';
import { writeJson, type Agent, type SessionMemory } from '@turnkeeper/domain';
import { rowsOf } from '../connections/database.js';
import { sqlOf } from '../connections/sql.js';
import { managerOf } from '../connections/unit-of-work.js';
import { TypeOrmAgentStore } from '../projections/agents/agent-store.js';
import { applyExtractions, type Extraction } from '../projections/records/apply-extractions.js';
import { PgRecordWriter } from '../projections/records/record-writer.js';
import { PgRollingMemoryStore } from '../projections/memories/rolling-memory-store.js';

/** Buffers the changes of a log page, so that they are written in few statements. */
export interface WriteBuffer {
  /** Writes the buffered changes. */
  flush(tx: Transaction): Promise<void>;
  /**
   * Drops all buffered and cached rows: the transaction was rolled back, or other code changed the rows. Nothing may be
   * left to write.
   */
  discard(): void;
}

/** Rows cached across pages, so that later events need not read them. */
const REMEMBERED = 20_000;

const remember = <V>(rows: Map<string, V>, key: string, value: V): void => {
  rows.delete(key);
  rows.set(key, value);
};

const trim = (rows: Map<string, unknown>): void => {
  for (const key of rows.keys()) {
    if (rows.size <= REMEMBERED) return;
    rows.delete(key);
  }
};

/** Extractions are buffered. Any other change of records writes the buffer first. */
export class BufferedRecords extends PgRecordWriter implements WriteBuffer {
  private extractions: Extraction[] = [];

  override async apply(_tx: Transaction, event: Extraction): Promise<void> {
    this.extractions.push(event);
  }

  override async current(tx: Transaction, ...wanted: Tail<PgRecordWriter['current']>) {
    await this.flush(tx);
    return super.current(tx, ...wanted);
  }

  override async save(tx: Transaction, ...change: Tail<PgRecordWriter['save']>): Promise<void> {
    await this.flush(tx);
    return super.save(tx, ...change);
  }

  override async correct(tx: Transaction, ...change: Tail<PgRecordWriter['correct']>): Promise<void> {
    await this.flush(tx);
    return super.correct(tx, ...change);
  }

  override async makeCurrent(tx: Transaction, ...change: Tail<PgRecordWriter['makeCurrent']>): Promise<void> {
    await this.flush(tx);
    return super.makeCurrent(tx, ...change);
  }

  override async remove(tx: Transaction, ...change: Tail<PgRecordWriter['remove']>): Promise<void> {
    await this.flush(tx);
    return super.remove(tx, ...change);
  }

  async flush(tx: Transaction): Promise<void> {
    const { extractions } = this;
    this.extractions = [];
    if (extractions.length > 0) await applyExtractions(managerOf(tx), extractions);
  }

  discard(): void {
    this.extractions = [];
  }
}

type Tail<F extends (tx: Transaction, ...rest: never[]) => unknown> = F extends (
  tx: Transaction,
  ...rest: infer Rest
) => unknown
  ? Rest
  : never;

export class BufferedAgents extends TypeOrmAgentStore implements WriteBuffer {
  private readonly known = new Map<string, Agent>();
  private changed = new Map<string, Agent>();

  override async insert(_tx: Transaction, agent: Agent): Promise<void> {
    this.change(agent);
  }

  override async update(_tx: Transaction, agent: Agent): Promise<void> {
    this.change(agent);
  }

  override async findForUpdate(tx: Transaction, tenantId: string, agentId: string): Promise<Agent | null> {
    const known = this.known.get(agentId);
    if (known === undefined) return super.findForUpdate(tx, tenantId, agentId);
    return known.tenantId === tenantId ? known : null;
  }

  async flush(tx: Transaction): Promise<void> {
    const { changed } = this;
    this.changed = new Map();
    trim(this.known);
    if (changed.size === 0) return;
    const rows = [...changed.values()].map(agentColumns);
    const columns = Object.keys(rows[0] ?? {});
    await rowsOf(
      managerOf(tx),
      `insert into agents (${columns.join(', ')})
       select ${columns.join(', ')} from json_populate_recordset(null::agents, $1::json)
       on conflict (agent_id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      [writeJson(rows)],
    );
  }

  discard(): void {
    this.changed = new Map();
    this.known.clear();
  }

  private change(agent: Agent): void {
    remember(this.known, agent.agentId, agent);
    this.changed.set(agent.agentId, agent);
  }
}

/** An agent keyed by column name: camel case converted to snake case. */
const agentColumns = (agent: Agent): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(agent).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

interface ChangedMemory {
  readonly scope: SessionScope;
  readonly memory: SessionMemory;
  readonly firstAt: string;
  readonly lastAt: string;
}

export class BufferedRollingMemory extends PgRollingMemoryStore implements WriteBuffer {
  private readonly known = new Map<string, SessionMemory>();
  private changed = new Map<string, ChangedMemory>();

  override async findForUpdate(tx: Transaction, scope: SessionScope): Promise<SessionMemory> {
    return this.known.get(keyOf(scope)) ?? super.findForUpdate(tx, scope);
  }

  override async save(_tx: Transaction, scope: SessionScope, memory: SessionMemory, at: string): Promise<void> {
    const key = keyOf(scope);
    remember(this.known, key, memory);
    this.changed.set(key, { scope, memory, firstAt: this.changed.get(key)?.firstAt ?? at, lastAt: at });
  }

  async flush(tx: Transaction): Promise<void> {
    const rows = [...this.changed.values()];
    this.changed = new Map();
    trim(this.known);
    if (rows.length === 0) return;
    const column = (of: (row: ChangedMemory) => unknown): unknown[] => rows.map(of);
    await sqlOf(managerOf(tx))`
      insert into rolling_sessions
         (tenant_id, memory_id, actor_id, session_id, version, facts, aged_facts, summary, first_captured_at, updated_at)
       select t.tenant_id, t.memory_id, t.actor_id, t.session_id, t.version, t.facts::json, t.aged_facts::json, t.summary,
              t.first_at, t.last_at
         from unnest(${column(({ scope }) => scope.tenantId)}::uuid[], ${column(({ scope }) => scope.memoryId)}::uuid[],
           ${column(({ scope }) => scope.actorId)}::text[], ${column(({ scope }) => scope.sessionId)}::text[],
             ${column(({ memory }) => memory.version)}::bigint[],
               ${column(({ memory }) => JSON.stringify(memory.facts))}::text[],
                 ${column(({ memory }) => JSON.stringify(memory.agedFacts))}::text[],
                   ${column(({ memory }) => memory.summary)}::text[],
                     ${column(({ firstAt }) => firstAt)}::timestamptz[],
                       ${column(({ lastAt }) => lastAt)}::timestamptz[])
           as t(tenant_id, memory_id, actor_id, session_id, version, facts, aged_facts, summary, first_at, last_at)
       on conflict (memory_id, actor_id, session_id) do update
         set version = excluded.version, facts = excluded.facts, aged_facts = excluded.aged_facts,
             summary = excluded.summary, updated_at = excluded.updated_at
         where rolling_sessions.tenant_id = excluded.tenant_id`;
  }

  discard(): void {
    this.changed = new Map();
    this.known.clear();
  }
}

const keyOf = ({ tenantId, memoryId, actorId, sessionId }: SessionScope): string =>
  JSON.stringify([tenantId, memoryId, actorId, sessionId]);
