import type { ActorScope, RollingMemoryStore, SessionScope, Transaction } from '@turnkeeper/application';
import {
  EMPTY_SESSION_MEMORY,
  type MemoryStateCaptured,
  type ReadWindow,
  type RollingWindow,
  type SessionMemory,
} from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { columnOf, rowsFor, rowsOf } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { sqlFor, sqlOf, sqlViewsFor, sqlViewsOf } from '../../connections/sql.js';

/**
 * Ranks texts by the share of query words they contain, with more weight for rare words; see `record-search.sql.ts`.
 */
const RANK_TEXTS = `
  with query as (
    select lexeme from unnest(to_tsvector('english', $1))
  ), texts as (
    select text, n, to_tsvector('english', text) as words from unnest($2::text[]) with ordinality as t(text, n)
  ), hits as (
    select texts.n, word.lexeme from texts, unnest(texts.words) as word
     where word.lexeme in (select lexeme from query)
  ), weights as (
    select lexeme, ln(1 + ((select count(*) from texts) - count(*) + 0.5) / (count(*) + 0.5)) as weight
      from hits group by lexeme
  )
  select texts.text
    from hits join weights using (lexeme) join texts using (n)
   group by texts.n, texts.text
   order by sum(weights.weight) desc, texts.n desc
   limit $3`;

export class PgRollingMemoryStore implements RollingMemoryStore {
  constructor(private readonly dataSource: DataSource) {}

  async lastCaptured(scope: SessionScope): Promise<MemoryStateCaptured | null> {
    const rows = await sqlFor<{ data: MemoryStateCaptured }>(this.dataSource, scope.tenantId)`
      select e.data from sessions se join events e using (session_key)
        where se.tenant_id = ${scope.tenantId} and se.memory_id = ${scope.memoryId} and se.actor_id = ${scope.actorId}
          and se.session_id = ${scope.sessionId}
          and e.sequence is null and e.type = 'memory_state.captured'
        order by e.position desc limit 1`;
    return rows[0]?.data ?? null;
  }

  async findForUpdate(tx: Transaction, scope: SessionScope): Promise<SessionMemory> {
    const manager = managerOf(tx);
    // Two concurrent first captures of a session have no row to lock.
    await sqlOf(manager)`
      select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([scope.memoryId, scope.actorId, scope.sessionId])},
        1))`;
    const [memory] = await sqlViewsOf<SessionMemory>(manager)`
      select version::float8, facts, aged_facts, summary from rolling_sessions
        where tenant_id = ${scope.tenantId} and memory_id = ${scope.memoryId} and actor_id = ${scope.actorId}
          and session_id = ${scope.sessionId}`;
    return memory ?? EMPTY_SESSION_MEMORY;
  }

  async save(tx: Transaction, scope: SessionScope, memory: SessionMemory, at: string): Promise<void> {
    await sqlOf(managerOf(tx))`
      insert into rolling_sessions
        (tenant_id, memory_id, actor_id, session_id, version, facts, aged_facts, summary,
         first_captured_at, updated_at)
      values (${scope.tenantId}, ${scope.memoryId}, ${scope.actorId}, ${scope.sessionId}, ${memory.version},
        ${JSON.stringify(memory.facts)}, ${JSON.stringify(memory.agedFacts)}, ${memory.summary}, ${at}, ${at})
      on conflict (memory_id, actor_id, session_id) do update
        set version = excluded.version, facts = excluded.facts, aged_facts = excluded.aged_facts,
            summary = excluded.summary, updated_at = excluded.updated_at
        where rolling_sessions.tenant_id = excluded.tenant_id`;
  }

  async ofActor(scope: ActorScope): Promise<readonly SessionMemory[]> {
    return sqlViewsFor<SessionMemory>(this.dataSource, scope.tenantId)`
      select version::float8, facts, aged_facts, summary from rolling_sessions
        where tenant_id = ${scope.tenantId} and memory_id = ${scope.memoryId} and actor_id = ${scope.actorId}
          order by first_captured_at, session_id`;
  }

  async rank(query: string, texts: readonly string[], k: number): Promise<readonly string[]> {
    return columnOf<string>(rowsOf(this.dataSource, RANK_TEXTS, [query, [...texts], k]));
  }

  async windows(scope: SessionScope, strategyId: string): Promise<readonly ReadWindow[]> {
    // Records that were withdrawn because nobody heard their source are still in these events, and so are summaries that
    // tell what an interruption has cut since.
    const rows = await rowsFor<{ rolling: RollingWindow; superseded: string[]; gone: string[]; is_heard: boolean }>(
      this.dataSource,
      scope.tenantId,
      `with cuts as materialized (
         select i.position, m.sequence from sessions se
         join events i on i.session_key = se.session_key and i.type = 'message.interrupted'
         join events m on m.tenant_id = $1 and m.event_id = (well_formed(i.data) ->> 'messageEventId')::uuid
          and m.session_key = i.session_key
        where se.tenant_id = $1 and se.memory_id = $2 and se.actor_id = $3 and se.session_id = $4
          and well_formed(i.data) ->> 'heard' is not null
       )
       select well_formed(e.data) -> 'rolling' as rolling,
              array(select s ->> 'recordId' from json_array_elements(well_formed(e.data) -> 'superseded') s) as superseded,
              array(select f ->> 'recordId' from json_array_elements(well_formed(e.data) -> 'rolling' -> 'facts') f
                    where not exists (select from records r
                                      where r.record_id = (f ->> 'recordId')::uuid and r.tenant_id = $1)) as gone,
              not exists (select from cuts c where c.position > e.position
                          and c.sequence <= (well_formed(e.data) ->> 'toSequence')::bigint) as is_heard
         from sessions se join events e using (session_key)
        where se.tenant_id = $1 and se.memory_id = $2 and se.actor_id = $3 and se.session_id = $4
          and e.sequence is null and e.type = 'records.extracted'
          and well_formed(e.data) ->> 'strategyId' = $5 and well_formed(e.data) ->> 'rolling' is not null
        order by e.position`,
      [scope.tenantId, scope.memoryId, scope.actorId, scope.sessionId, strategyId],
    );
    return rows.map(({ rolling, superseded, gone, is_heard: isHeard }) => ({
      ...rolling,
      superseded,
      facts: rolling.facts.filter(({ recordId }) => !gone.includes(recordId)),
      summary: isHeard ? rolling.summary : null,
    }));
  }

  async recentSessions(scope: ActorScope, limit: number): Promise<readonly string[]> {
    return columnOf<string>(
      sqlFor(this.dataSource, scope.tenantId)`
        select se.session_id
         from sessions se
         join lateral (
           select e.position from events e
            where e.session_key = se.session_key and e.sequence is not null order by e.sequence desc limit 1
         ) newest on true
        where se.tenant_id = ${scope.tenantId} and se.memory_id = ${scope.memoryId} and se.actor_id = ${scope.actorId}
          and se.session_id >= chr(2)
        order by newest.position desc limit ${limit}`,
    );
  }
}
