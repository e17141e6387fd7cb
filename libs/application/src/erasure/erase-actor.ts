import { ActorNotFound, type ErasureOutcome } from '@turnkeeper/domain';
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

  /** Rejects with `ActorNotFound` if there is neither data nor a key. */
  async inMemory(tenantId: string, memoryId: string, actorId: string): Promise<ActorErasure> {
    const keys = await this.keys.eraseOfActor(tenantId, actorId, memoryId);
    const outcomes = await this.sessions.actor(tenantId, memoryId, actorId).then(
      (outcome) => [outcome],
      (error: unknown) => {
        if (error instanceof ActorNotFound && keys.erased > 0) return [];
        throw error;
      },
    );
    return { outcomes, keys };
  }

  /** In every memory of the tenant. */
  async everywhere(tenantId: string, actorId: string): Promise<ActorErasure> {
    const keys = await this.keys.eraseOfActor(tenantId, actorId, null);
    return { outcomes: await this.sessions.actorEverywhere(tenantId, actorId), keys };
  }
}
