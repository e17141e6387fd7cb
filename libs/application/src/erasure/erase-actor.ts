import { ActorNotFound, assertReaches, type ErasureOutcome, type Reach } from '@turnkeeper/domain';
import type { ErasedKeys, KeyStore } from '../tenancy/key-store.port.js';
import type { EraseSessions } from './erase-sessions.js';

export interface ActorErasure {
  /** One per memory that had data of the actor. */
  readonly outcomes: readonly ErasureOutcome[];
  readonly keys: ErasedKeys;
}

/**
 * Erases all data of an actor, and the API keys that are restricted to it: they contain its id. Keys go first, so that
 * a repeated erasure also deletes the data if the process dies in between.
 */
export class EraseActor {
  constructor(
    private readonly sessions: Pick<EraseSessions, 'actor' | 'actorEverywhere'>,
    private readonly keys: Pick<KeyStore, 'eraseOfActor'>,
  ) {}

  /** Rejects with `OutOfReach`, or with `ActorNotFound` if there is neither data nor a key. */
  async inMemory(reach: Reach, memoryId: string, actorId: string): Promise<ActorErasure> {
    assertReaches(reach, { memoryId, actorId });
    const { tenantId } = reach;
    const keys = await this.keys.eraseOfActor(tenantId, actorId, memoryId);
    const outcomes = await this.sessions.actor(reach, memoryId, actorId).then(
      (outcome) => [outcome],
      (error: unknown) => {
        if (error instanceof ActorNotFound && keys.erased > 0) return [];
        throw error;
      },
    );
    return { outcomes, keys };
  }

  /** In every memory of the tenant. Rejects with `OutOfReach`. */
  async everywhere(reach: Reach, actorId: string): Promise<ActorErasure> {
    assertReaches(reach, { memoryId: null, actorId });
    const { tenantId } = reach;
    const keys = await this.keys.eraseOfActor(tenantId, actorId, null);
    return { outcomes: await this.sessions.actorEverywhere(reach, actorId), keys };
  }
}
