import type {
  CheckpointView,
  PutCheckpointBody,
  PutCheckpointWritesBody,
  SearchCheckpointsBody,
} from '@turnkeeper/contracts';
import type { MemoryScope, SessionScope } from '../log/event-store.port.js';

/** The threads to read: one session of an actor, or more where a field is undefined. */
export interface CheckpointScope extends MemoryScope {
  readonly actorId?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** Position of a checkpoint in a search. */
export interface CheckpointPlace {
  readonly checkpointId: string;
  readonly sessionId: string;
  readonly actorId: string;
  readonly namespace: string;
}

export type CheckpointSearch = Omit<SearchCheckpointsBody, 'actorId' | 'sessionId' | 'after'> & {
  readonly after: CheckpointPlace | null;
};

/**
 * Checkpoints of agent graphs. They belong to their session: erased and expired with it. A thread expires as a whole,
 * as many days after its last checkpoint as events do after their arrival.
 */
export interface CheckpointStore {
  /** Resolves when committed. Replaces a checkpoint of the same id. Rejects with `MemoryNotFound`. */
  put(scope: SessionScope, checkpoint: PutCheckpointBody): Promise<void>;
  /** Resolves when committed. Keeps writes that exist, unless `overwrite` is set. Rejects with `MemoryNotFound`. */
  putWrites(scope: SessionScope, writes: PutCheckpointWritesBody): Promise<void>;
  /** Newest first; by id in the order of code points. Without those of deleted memories and expired threads. */
  search(scope: CheckpointScope, search: CheckpointSearch): Promise<readonly CheckpointView[]>;
  /** Actors that have a live thread of this session id, at most `most`. */
  actorsOf(scope: MemoryScope, sessionId: string, most: number): Promise<readonly string[]>;
  /** Deletes the threads in the scope. */
  delete(scope: CheckpointScope): Promise<void>;
}
