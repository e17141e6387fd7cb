import type { ErasureScope } from './log-erasure.port.js';
import type { Transaction } from '../shared/transaction.port.js';
import type { MemoryScope } from '../log/event-store.port.js';

/** Rows deleted in addition to records and events. */
export interface ErasedRows {
  readonly agentIds: readonly string[];
  /** Endpoints that received a history of one of the agents. */
  readonly receivers: readonly string[];
  readonly webhookDeliveries: number;
  readonly extractionStates: number;
  readonly rollingMemories: number;
  readonly graphThreads: number;
  readonly graphItems: number;
}

/** Rows other than records that contain personal data or conversation content. */
export interface PersonalRows {
  /**
   * Erases the connectors' data of calls known to belong to these sessions, folded or not. Call it before locking the
   * sessions: a fold locks its call first and then the sessions. For a whole actor, parked notices that name the actor
   * are erased too, regardless of their call. Resolves to whether there was anything and to the number of bodies
   * erased.
   */
  eraseCalls(tx: Transaction, scope: ErasureScope): Promise<{ readonly found: boolean; readonly callbacks: number }>;
  /** Whether there are checkpoints or items of agent graphs; a graph may be all that a session has. */
  hasGraphs(tx: Transaction, scope: ErasureScope): Promise<boolean>;
  /** Erases all rows of these sessions: extraction states, agents, rolling memory, checkpoints and pending deliveries. */
  eraseSessions(tx: Transaction, scope: ErasureScope, sessionKeys: readonly number[]): Promise<ErasedRows>;
  /**
   * Records left after an actor's erasure in namespaces that contain the actor's id as a path segment. Nothing else
   * identifies their owner.
   */
  recordsNamedAfter(scope: ErasureScope): Promise<{ readonly records: number; readonly namespaces: readonly string[] }>;
  /** Erases the agents of a memory and the webhooks about them. */
  eraseAgents(tx: Transaction, scope: MemoryScope): Promise<void>;
  /**
   * Erases copies of single events of a session: input of extraction attempts in progress, which is read again, and
   * frozen webhook bodies, which are composed again at the next attempt.
   */
  forgetCopies(tx: Transaction, tenantId: string, sessionKey: number): Promise<void>;
  /** Deletes read-model rows of deleted memories. Processes one batch; resolves to false if nothing is left. */
  purgeDeletedMemories(limit: number): Promise<boolean>;
}
