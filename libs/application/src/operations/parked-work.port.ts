import type { ReplayWindowOptions } from '../extraction/extraction-schedule.port.js';
import type { PageAfter } from '../memories/memory-store.port.js';

/** Kinds of work that are parked after their last retry. */
export const PARKED_KINDS = ['message', 'window', 'delivery', 'notice'] as const;
/**
 * - `message`: an event that could not be dispatched
 * - `window`: part of a session that could not be extracted
 * - `delivery`: a webhook that its endpoint did not accept
 * - `notice`: a vendor's callback that could not be folded into its session
 */
export type ParkedKind = (typeof PARKED_KINDS)[number];

/** Permanent identifier of a parked item. */
export interface ParkedName {
  readonly kind: ParkedKind;
  /** Key columns, in the order of its table's primary key. */
  readonly key: readonly string[];
}

export interface ParkedWork extends ParkedName {
  /** Null for a message. */
  readonly tenantId: string | null;
  /** Null if it belongs to no memory. */
  readonly memoryId: string | null;
  /** Reason, as a stable code. */
  readonly code: string;
  /** Failure details, if stored: an error message or the endpoint's answer. */
  readonly cause: string | null;
  readonly attempts: number;
  readonly parkedAt: string;
  readonly ageSeconds: number;
}

export interface ParkedFilter {
  readonly kind?: ParkedKind | undefined;
  readonly tenantId?: string | undefined;
  readonly code?: string | undefined;
}

export interface ParkedPlace {
  readonly parkedAt: string;
  readonly key: string;
}

/** Number of parked items of a kind and age of the oldest. */
export interface ParkedCount {
  readonly kind: ParkedKind;
  readonly count: number;
  readonly oldestSeconds: number;
}

export interface ParkedWorkStore {
  /** Across all tenants, oldest first, without dropped items. */
  list(filter: ParkedFilter, page: PageAfter<ParkedPlace>): Promise<readonly ParkedWork[]>;
  /** Null if it is not parked or was dropped. */
  find(name: ParkedName): Promise<ParkedWork | null>;
  /**
   * Excludes the item from listings and counts; a dropped window is never extracted. Resolves to false if it is not
   * parked.
   */
  drop(name: ParkedName): Promise<boolean>;
  counts(): Promise<readonly ParkedCount[]>;
  /** Items parked since the last call, by any process. Each is returned once. */
  takeNews(limit: number): Promise<readonly ParkedWork[]>;
  /** Makes an item due again. Resolves to false if the data it needs is no longer stored. */
  replay(work: ParkedWork, options?: ReplayWindowOptions): Promise<boolean>;
}
