import type { TurnScope } from '@turnkeeper/application';
import type { TenantPool } from '../../connections/tenant-pool.js';
import { memorySeed } from './hash-text.js';
import { HeldScopes, type Check, type ScopeSource } from './held-scopes.js';
import { HeldTurns, type SessionRow } from './held-turns.js';
import { ScopeCache } from './scope-cache.js';

/** An actor's turns in all sessions. */
export interface ActorScope extends TurnScope {
  readonly actorId: string;
  readonly sessionId?: undefined;
}

/** Result of `check_held_turns`. */
export interface TurnsCheck extends Check<number> {
  /** The index position. */
  readonly indexed: number;
  /** The newest position of the log. */
  readonly head: number;
}

/** The turns of actors who are searched often. */
export type ActorsInMemory = HeldScopes<ActorScope, number, HeldTurns, TurnsCheck>;

/** @param bytes how much they may take; 0 holds none */
export const actorsInMemory = (tenants: TenantPool, bytes: number): ActorsInMemory =>
  new HeldScopes(new HeldActors(tenants), new ScopeCache(bytes));

/** Actors with more turns are searched in Postgres, in two stages. */
const MOST_TURNS = 10_000;
/** Sessions read per statement. */
const SESSIONS_PER_PAGE = 25;
/** Turns and sessions that a search reads again: more take longer than a search in Postgres. */
const MOST_CHANGED = { turns: 400, sessions: 50 };

/** Reads actors' turns from the index in Postgres into memory. */
class HeldActors implements ScopeSource<ActorScope, number, HeldTurns, TurnsCheck> {
  constructor(private readonly tenants: TenantPool) {}

  keyOf({ tenantId, memoryId, actorId }: ActorScope): string {
    return `${tenantId} ${memoryId} ${actorId}`;
  }

  create({ tenantId, memoryId }: ActorScope): HeldTurns {
    return new HeldTurns(memorySeed(tenantId, memoryId));
  }

  async check({ tenantId, memoryId, actorId }: ActorScope, since: string | null): Promise<TurnsCheck> {
    const { rows } = await this.tenants.query<CheckRow>(tenantId, {
      name: 'check_held_turns',
      text: `select indexed, head, as_of, session_keys::float8[] from check_held_turns($1, $2, $3, $4)`,
      values: [tenantId, memoryId, actorId, since],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('the index of turns has no cursor');
    return { indexed: row.indexed, head: row.head, asOf: row.as_of, changed: row.session_keys };
  }

  async readAll(scope: ActorScope, held: HeldTurns): Promise<boolean> {
    for (let after = 0; ;) {
      const rows = await this.list(scope, null, after);
      for (const row of rows) held.set(row);
      const last = rows.at(-1);
      if (held.turns > MOST_TURNS) return false;
      if (last === undefined || rows.length < SESSIONS_PER_PAGE) return true;
      after = last.session_key;
    }
  }

  async read(scope: ActorScope, changed: readonly number[]): Promise<(held: HeldTurns) => void> {
    const rows = await this.list(scope, changed, 0);
    return (held) => {
      for (const session of changed) held.delete(session);
      for (const row of rows) held.set(row);
    };
  }

  isTooMuch(held: HeldTurns, changed: readonly number[]): boolean {
    const turns = changed.reduce((sum, session) => sum + held.turnsIn(session), 0);
    return changed.length > MOST_CHANGED.sessions || turns > MOST_CHANGED.turns;
  }

  private async list(
    { tenantId, memoryId, actorId }: ActorScope,
    chosen: readonly number[] | null,
    after: number,
  ): Promise<SessionRow[]> {
    const { rows } = await this.tenants.query<SessionRow>(tenantId, {
      name: 'list_held_turns',
      text: `select session_key, words, first_day, last_day, speakers, languages, turns
             from list_held_turns($1, $2, $3, $4, $5, $6)`,
      values: [tenantId, memoryId, actorId, chosen, after, SESSIONS_PER_PAGE],
    });
    return rows;
  }
}

interface CheckRow {
  readonly indexed: number;
  readonly head: number;
  readonly as_of: string;
  readonly session_keys: number[] | null;
}
