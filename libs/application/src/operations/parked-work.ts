import { refusal } from '@turnkeeper/domain';

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

export class ParkedWorkNotFound extends refusal('parked.not_found', 'not_found', {
  message: 'No such item is parked.',
  field: 'parkedId',
  rule: 'must name an item that is parked and was not dropped',
  next: 'List them with GET /v1/admin/parked.',
}) {}

export class ParkedWorkNotReplayable extends refusal('parked.not_replayable', 'conflict', {
  message: 'This item cannot be replayed.',
  field: 'parkedId',
  rule: 'must name an item whose content is still stored',
  next: 'Drop it once you know the cause.',
}) {}
