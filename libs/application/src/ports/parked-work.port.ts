import type { ReplayWindowOptions } from './extraction-store.port.js';

/** Work that was set aside because trying again did not help. */
export const PARKED_KINDS = ['message', 'window', 'delivery', 'notice'] as const;
/**
 * - `message`: of the broker, that a consumer of ours could not handle
 * - `window`: part of a session that could not be extracted
 * - `delivery`: a webhook that its endpoint did not take
 * - `notice`: a vendor's callback that could not be folded into its session
 */
export type ParkedKind = (typeof PARKED_KINDS)[number];

/** What names one parked item for ever. */
export interface ParkedName {
  readonly kind: ParkedKind;
  /** Parts of its key, in the order of its table's. */
  readonly key: readonly string[];
}

export interface ParkedWork extends ParkedName {
  /** Null for a message that cannot be read. */
  readonly tenantId: string | null;
  /** Null where it is about none. */
  readonly memoryId: string | null;
  /** Why, as a stable code. */
  readonly code: string;
  /** The failure in its own words, where it is kept: an error's message, or what an endpoint answered. */
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

/** How much of a kind is parked, and for how long the oldest has been. */
export interface ParkedCount {
  readonly kind: ParkedKind;
  readonly count: number;
  readonly oldestSeconds: number;
}

export interface ParkedWorkStore {
  /** Of all tenants, oldest first; what was dropped is left out. */
  list(
    filter: ParkedFilter,
    page: { readonly limit: number; readonly after?: ParkedPlace | undefined },
  ): Promise<readonly ParkedWork[]>;
  /** Null for what is not parked, or was dropped. */
  find(name: ParkedName): Promise<ParkedWork | null>;
  /** Has it no longer listed or counted; a window is given up. False when it is not parked. */
  drop(name: ParkedName): Promise<boolean>;
  counts(): Promise<readonly ParkedCount[]>;
  /** Those that were parked since the last call, in whichever process that was: each is given once. */
  takeNews(limit: number): Promise<readonly ParkedWork[]>;
  /** The bytes of a parked message, as text. */
  messageOf(name: ParkedName): Promise<string | null>;
  /** Makes what is not a message due again. False when it cannot be: what it needs is no longer kept. */
  replay(work: ParkedWork, options?: ReplayWindowOptions): Promise<boolean>;
  /** A message was handed out again: it is no longer parked. */
  resolveMessage(name: ParkedName): Promise<void>;
}
