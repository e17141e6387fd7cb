import type { ErasureScope } from './log-erasure.port.js';
import type { Transaction } from './transaction.port.js';

/** What was deleted beside records and events. */
export interface ErasedRows {
  readonly agentIds: readonly string[];
  /** Endpoints that were sent a history of one of the agents. */
  readonly receivers: readonly string[];
  readonly webhookDeliveries: number;
  readonly extractionStates: number;
  readonly rollingMemories: number;
}

/** Rows other than records that hold what a person said, or who they are. */
export interface PersonalRows {
  /**
   * What vendors' connectors hold of calls that are known to be of these sessions, folded or not. Ask for it before the
   * sessions are locked: a fold holds its call when it comes to them. With an actor's go the parked ones that name the actor,
   * whosever call they are. Gives what was found, and how many bodies went.
   */
  eraseCalls(tx: Transaction, scope: ErasureScope): Promise<{ readonly found: boolean; readonly callbacks: number }>;
  /** Everything of these sessions: extraction states, agents, rolling memory, what waits to be sent. */
  eraseSessions(tx: Transaction, scope: ErasureScope, sessionKeys: readonly number[]): Promise<ErasedRows>;
  /**
   * Records that stay after an actor's erasure in namespaces that have the actor's id between slashes: nothing else says
   * whose they are.
   */
  recordsNamedAfter(scope: ErasureScope): Promise<{ readonly records: number; readonly namespaces: readonly string[] }>;
  /** Agents of a memory, with the webhooks about them. */
  eraseAgents(tx: Transaction, scope: { readonly tenantId: string; readonly memoryId: string }): Promise<void>;
  /**
   * Copies of single events of a session: what tries of extractions under way have read, which are made anew, and
   * frozen webhook bodies, which are composed anew when they are sent next.
   */
  forgetCopies(tx: Transaction, tenantId: string, sessionKey: number): Promise<void>;
  /** Deletes read-model rows of deleted memories, a batch at a time; false when nothing is left. */
  purgeDeletedMemories(limit: number): Promise<boolean>;
}
