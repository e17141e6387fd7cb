import type { ApiKey, ErasedKeys, KeyStore } from '@turnkeeper/application';
import { Any, IsNull, type DataSource } from 'typeorm';
import { sqlOf } from '../connections/sql.js';
import { serialize } from '../connections/serialized.js';
import { ApiKeyEntity } from './key.entity.js';
import { viewOf } from '../connections/view.js';

const dateOf = (stamp: string | null): Date | null => (stamp === null ? null : new Date(stamp));

const rowOf = (key: ApiKey) => ({
  ...key,
  scopes: [...key.scopes],
  secretHash: Buffer.from(key.secretHash),
  createdAt: new Date(key.createdAt),
  expiresAt: dateOf(key.expiresAt),
  revokedAt: dateOf(key.revokedAt),
  lastUsedAt: dateOf(key.lastUsedAt),
});

/** Queried by operators and before the tenant is known, so it works for all tenants. */
export class TypeOrmKeyStore implements KeyStore {
  constructor(private readonly dataSource: DataSource) {}

  async insert(key: ApiKey, most = Number.POSITIVE_INFINITY): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      await serialize(manager, 'keys', key.tenantId);
      const [live] = await sqlOf<{ count: number }>(manager)`
        select count(*)::int as count from api_keys
          where tenant_id = ${key.tenantId} and revoked_at is null and (expires_at is null or expires_at > now())`;
      if ((live?.count ?? 0) >= most) return false;
      await manager.insert(ApiKeyEntity, rowOf(key));
      return true;
    });
  }

  async find(keyId: string): Promise<ApiKey | null> {
    const row = await this.dataSource.manager.findOneBy(ApiKeyEntity, { keyId });
    return row === null ? null : viewOf<ApiKey>(row);
  }

  async findAll(keyIds: readonly string[]): Promise<readonly ApiKey[]> {
    const rows = await this.dataSource.manager.findBy(ApiKeyEntity, { keyId: Any([...keyIds]) });
    return rows.map(viewOf<ApiKey>);
  }

  async list(tenantId: string): Promise<readonly ApiKey[]> {
    const rows = await this.dataSource.manager.find(ApiKeyEntity, {
      where: { tenantId },
      order: { createdAt: 'DESC', keyId: 'ASC' },
    });
    return rows.map(viewOf<ApiKey>);
  }

  async touch(keyIds: readonly string[]): Promise<void> {
    await sqlOf(this.dataSource)`
      update api_keys set last_used_at = now()
        where key_id in (select key_id from api_keys where key_id = any(${keyIds})
                           and (last_used_at is null or last_used_at < now() - interval '1 minute')
                          order by key_id for update skip locked)`;
  }

  async revoke(tenantId: string, keyId: string, at: string): Promise<boolean> {
    const { manager } = this.dataSource;
    await manager.update(ApiKeyEntity, { tenantId, keyId, revokedAt: IsNull() }, { revokedAt: new Date(at) });
    return manager.existsBy(ApiKeyEntity, { tenantId, keyId });
  }

  async replace(old: ApiKey, endsAt: string, replacement: ApiKey): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.insert(ApiKeyEntity, rowOf(replacement));
      const { keyId, tenantId } = old;
      const ended = { expiresAt: new Date(endsAt), replacedBy: replacement.keyId };
      await manager.update(ApiKeyEntity, { keyId, tenantId }, ended);
    });
  }

  async eraseOfActor(tenantId: string, actorId: string, memoryId: string | null): Promise<ErasedKeys> {
    return this.dataSource.transaction(async (manager) => {
      const inMemory = memoryId === null ? {} : { memoryId };
      const { affected } = await manager.delete(ApiKeyEntity, { tenantId, actorId, ...inMemory });
      const left =
        memoryId === null ? 0 : await manager.countBy(ApiKeyEntity, { tenantId, actorId, memoryId: IsNull() });
      return { erased: affected ?? 0, left };
    });
  }
}
