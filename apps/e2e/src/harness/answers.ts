/** API responses, with the fields that the tests use. */

export interface MemoryView {
  readonly id: string;
  readonly longTermMemoryStrategies: readonly { readonly id: string; readonly namespaceTemplate: string }[];
}

export interface Appended {
  readonly eventId: string;
  readonly sequence: number;
  readonly position: number;
  readonly recordedAt: string;
}

export interface StoredEvent {
  readonly id: string;
  readonly sequence: number;
  readonly position: number;
  readonly payload: { readonly type: string; readonly role: string; readonly message: string };
  readonly event_timestamp: string;
  readonly turnId?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PageView<T> {
  readonly listData: readonly T[];
  readonly totalItem: number;
  readonly next: number | null;
}

/** The envelope of Turnkeeper's own lists. */
export interface ListView<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface RecordView {
  readonly id: string;
  readonly memory: string;
  readonly score: number | null;
  readonly namespace: string;
  readonly extractor: string;
  readonly model: string | null;
  readonly sources: readonly {
    readonly eventId: string;
    readonly sequence: number;
    readonly role: string;
    readonly quote: string;
  }[];
  readonly supersededBy: string | null;
  readonly validTo: string | null;
}

export interface AgentView {
  readonly id: string;
  readonly status: string;
  readonly startedSequence: number;
  readonly stoppedSequence: number | null;
}

export interface EndpointView {
  readonly id: string;
  readonly secret: string;
}

export interface DeliveryView {
  readonly id: string;
  readonly messageId: string;
  readonly agentId: string;
  readonly status: string;
  readonly history: readonly { readonly attempt: number; readonly reason: string; readonly status: number | null }[];
}

export interface ExtractionView {
  readonly caughtUp: boolean;
  readonly strategies: readonly {
    readonly strategyId: string;
    readonly pendingSessions: number;
    readonly parkedSessions: number;
    readonly records: number;
  }[];
}

/** RFC 9457, with our code. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly field?: string;
  readonly [more: string]: unknown;
}
