import type { LogEvent, MemoryEvent, RecordSource, Strategy } from '@turnkeeper/domain';

/** Location in the log of an event that a record is based on. The event itself may be gone. */
export interface SourcePlace extends RecordSource {
  /** Null if no longer known. */
  readonly sessionKey: number | null;
}

/**
 * - `readable`: still in the log
 * - `expired`: past its retention
 * - `erased`: deleted on request
 */
export type SourceState = 'readable' | 'expired' | 'erased';

export interface TracedSource {
  readonly eventId: string;
  readonly state: SourceState;
  /** Null unless readable. */
  readonly event: LogEvent | null;
}

/** Events that describe changes to records. */
export type RecordAccount = LogEvent<
  'records.extracted' | 'records.inserted' | 'records.carried_over' | 'record.corrected' | 'supersession.withdrawn'
>;

/** Provenance of records according to the log. */
export interface LogProvenance {
  traceSources(tenantId: string, places: readonly SourcePlace[]): Promise<readonly TracedSource[]>;
  /**
   * Events that name the record, searched in these sessions and in the streams of its actor and its memory; oldest
   * first.
   */
  accountsOf(
    record: { readonly tenantId: string; readonly memoryId: string; readonly recordId: string },
    places: { readonly actorId: string | null; readonly sessionKeys: readonly number[] },
  ): Promise<readonly RecordAccount[]>;
  answer(tenantId: string, eventId: string): Promise<LogEvent<'extraction.answered'> | null>;
  /** Events that changed a memory or its strategies, oldest first. */
  memoryEvents(tenantId: string, memoryId: string): Promise<readonly MemoryEvent[]>;
}

/** The prompts of this release. */
export interface PromptBook {
  /** The prompt sent to the model, without the conversation; null if the hash does not match this release's prompt. */
  promptOf(strategy: Pick<Strategy, 'type' | 'customPrompt' | 'outputSchema'>, hash: string): string | null;
}
