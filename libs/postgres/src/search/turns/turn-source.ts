import { reachOf, TurnTable, type TermPostings, type TurnRecipe } from '@turnkeeper/search';
import type { TurnScope } from '@turnkeeper/application';
import { listOf } from '../../connections/database.js';
import type { TenantPool } from '../../connections/tenant-pool.js';
import type { HeldScope } from './held-scope.js';
import {
  addTraits,
  chosenPostings,
  listedPostings,
  type ChosenRow,
  type HeldTurn,
  type ListedRow,
} from './postings.js';
import { FIND_DAYS, FIND_WORDS, LIST_WORDS, READ_ALL_TRAITS, READ_SOME_TRAITS } from './turn-search.sql.js';

/** Turns selected by the first stage, each with its neighbours. */
const CHOSEN = 50;
/** Maximum number of turns from a day named in the question, for scopes that are not ranked completely. */
const MOST_OF_DAYS = 500;

export type TurnPlace = readonly [session: number, place: number];
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Where a ranking reads words and traits of a scope's indexed turns. */
export class StoredTurns {
  /** @param twoStages above this many turns, a first stage selects by words alone */
  constructor(
    private readonly tenants: TenantPool,
    private readonly scope: TurnScope,
    private readonly held: HeldScope,
    private readonly twoStages: number,
    private readonly recipe: TurnRecipe,
  ) {}

  /** @param size turns and words of the scope, for the first stage of very large ones */
  async postingsOf(
    stems: readonly string[],
    size: { readonly turns: number; readonly words: number },
  ): Promise<TermPostings[]> {
    const { tenantId } = this.scope;
    const values = [...indexParameters(this.scope, this.held), stems];
    if (this.held.turns <= this.twoStages) {
      const listed = { name: 'list_turn_words', text: LIST_WORDS, values };
      return listedPostings(stems, (await this.tenants.query<ListedRow>(tenantId, listed)).rows);
    }
    const averageWords = Math.max(1, size.words / Math.max(1, size.turns));
    // The neighbours of a neighbour also count toward its score.
    const reach = 2 * reachOf(this.recipe);
    const { rows } = await this.tenants.query<ChosenRow>(tenantId, {
      name: 'find_turn_words',
      text: FIND_WORDS,
      values: [...values, CHOSEN, size.turns, averageWords, reach],
    });
    return chosenPostings(stems, rows);
  }

  /**
   * Traits of all turns, in a table that may be added to.
   *
   * @param named the speaker that the question names: others need not be told apart
   */
  async allTraits(named: string | null): Promise<TurnTable<HeldTurn>> {
    const { rows } = await this.tenants.query<{ turns: string | null }>(this.scope.tenantId, {
      name: 'list_turn_traits',
      text: READ_ALL_TRAITS,
      values: [...indexParameters(this.scope, this.held), named],
    });
    return tableOf(rows[0]?.turns, named);
  }

  /** @param repeating places that may repeat */
  async someTraits(repeating: readonly TurnPlace[], named: string | null): Promise<TurnTable<HeldTurn>> {
    const { tenantId } = this.scope;
    const wanted = new TurnTable<true>();
    for (const [session, place] of repeating) wanted.set(session, place, true);
    const places = [...wanted.entries()];
    const { rows } = await this.tenants.query<{ turns: string | null }>(tenantId, {
      name: 'some_turn_traits',
      text: READ_SOME_TRAITS,
      values: [tenantId, listOf(places.map(([session]) => session)), listOf(places.map(([, place]) => place)), named],
    });
    return tableOf(rows[0]?.turns, named);
  }

  /** Turns from the days of a range. */
  async fromDays({ from, to }: DayRange): Promise<TurnPlace[]> {
    const { tenantId, memoryId, actorId } = this.scope;
    const { rows } = await this.tenants.query<{ session_key: number; place: number }>(tenantId, {
      name: 'find_turn_days',
      text: FIND_DAYS,
      values: [tenantId, memoryId, actorId ?? null, from, to, MOST_OF_DAYS],
    });
    return rows.map((row) => [row.session_key, row.place]);
  }
}

const tableOf = (packed: string | null | undefined, named: string | null): TurnTable<HeldTurn> => {
  const table = new TurnTable<HeldTurn>();
  addTraits(table, packed ?? null, named);
  return table;
};

/** A session by its key. One unknown to the index has no turns; no key is 0. */
const indexParameters = ({ tenantId, memoryId, actorId, sessionId }: TurnScope, { session_key: key }: HeldScope) => [
  tenantId,
  memoryId,
  actorId ?? null,
  sessionId === undefined ? null : (key ?? 0),
];
