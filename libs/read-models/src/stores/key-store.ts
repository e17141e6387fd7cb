import type { ApiKey, KeyStore } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../database.js';
import { ApiKeyEntity } from '../entities/key.entity.js';

export class TypeOrmKeyStore implements KeyStore {
  constructor(private readonly dataSource: DataSource) {}

  async ensureTenant(tenantId: string, name: string): Promise<string> {
    const rows = await rowsOf<{ tenant_id: string }>(
      this.dataSource,
      `insert into tenants (tenant_id, name) values ($1, $2)
       on conflict (name) do update set name = excluded.name returning tenant_id`,
      [tenantId, name],
    );
    return rows[0]?.tenant_id ?? tenantId;
  }

  async insert(key: ApiKey): Promise<void> {
    await this.dataSource.manager.insert(ApiKeyEntity, {
      ...key,
      scopes: [...key.scopes],
      secretHash: Buffer.from(key.secretHash),
      expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt),
      revokedAt: key.revokedAt === null ? null : new Date(key.revokedAt),
    });
  }

  async find(keyId: string): Promise<ApiKey | null> {
    const row = await this.dataSource.manager.findOneBy(ApiKeyEntity, { keyId });
    if (row === null) return null;
    return {
      ...row,
      expiresAt: row.expiresAt?.toISOString() ?? null,
      revokedAt: row.revokedAt?.toISOString() ?? null,
    };
  }
}
