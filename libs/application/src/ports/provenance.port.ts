import type { LogEvent, MemoryEvent, RecordSource, StrategyType } from '@turnkeeper/domain';
import type { RecordView } from './record-store.port.js';

/** Where the log has, or had, an event that a record rests on. */
export interface SourcePlace extends RecordSource {
  /** Null where it is no longer known. */
  readonly sessionKey: number | null;
}

/**
 * - `readable`: there it is
 * - `expired`: its time is over
 * - `erased`: it was deleted on request
 */
export type SourceState = 'readable' | 'expired' | 'erased';

export interface TracedSource {
  readonly eventId: string;
  readonly state: SourceState;
  /** Only of a readable one. */
  readonly event: LogEvent | null;
}

/** Events that tell of records. */
export type RecordAccount = LogEvent<
  'records.extracted' | 'records.inserted' | 'records.carried_over' | 'record.corrected' | 'supersession.withdrawn'
>;

/** What the log knows about where records came from. */
export interface LogProvenance {
  traceSources(tenantId: string, places: readonly SourcePlace[]): Promise<readonly TracedSource[]>;
  /** Events that name the record: in these sessions, about its actor or about its memory; oldest first. */
  accountsOf(
    record: { readonly tenantId: string; readonly memoryId: string; readonly recordId: string },
    places: { readonly actorId: string | null; readonly sessionKeys: readonly number[] },
  ): Promise<readonly RecordAccount[]>;
  answer(tenantId: string, eventId: string): Promise<LogEvent<'extraction.answered'> | null>;
  /** What has changed a memory and its strategies, oldest first. */
  memoryEvents(tenantId: string, memoryId: string): Promise<readonly MemoryEvent[]>;
}

/** One link of a chain of records that took each other's places. */
export interface LineageLink {
  readonly recordId: string;
  readonly text: string;
  readonly statedAt: string;
  readonly supersededBy: string | null;
  readonly validTo: string | null;
}

/** A record with everything that the read models know about where it came from. */
export interface RecordLineage {
  readonly record: RecordView;
  readonly actorId: string | null;
  readonly statedAt: string;
  readonly places: readonly SourcePlace[];
  /** Sessions that it, or a record it is chained to, was made from or rests on. */
  readonly sessionKeys: readonly number[];
  /** What it superseded, directly or through others; the newest first. */
  readonly supersedes: readonly LineageLink[];
  /** What superseded it, and what superseded that; in this order. */
  readonly supersededBy: readonly LineageLink[];
}

export interface LineageStore {
  lineage(tenantId: string, memoryId: string, recordId: string): Promise<RecordLineage | null>;
}

/** Knows the prompts of this release. */
export interface PromptBook {
  /** What the model was told apart from the conversation; null when this release would tell it something else. */
  promptOf(
    strategy: { readonly type: StrategyType; readonly customPrompt: string | null },
    hash: string,
  ): string | null;
}
