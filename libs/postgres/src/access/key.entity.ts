import type { OtherLimits } from '@turnkeeper/application';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'tenants' })
export class TenantEntity {
  @PrimaryColumn({ name: 'tenant_id', type: 'uuid' }) tenantId!: string;
  @Column({ type: 'text', unique: true }) name!: string;
  @Column({ name: 'requests_per_second', type: 'integer', nullable: true }) requestsPerSecond!: number | null;
  @Column({ type: 'jsonb', default: {} }) limits!: OtherLimits;
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true }) deletedAt!: Date | null;
}

@Entity({ name: 'api_keys' })
export class ApiKeyEntity {
  @PrimaryColumn({ name: 'key_id', type: 'text' }) keyId!: string;
  @Column({ name: 'tenant_id', type: 'uuid' }) tenantId!: string;
  @Column({ type: 'text' }) description!: string;
  @Column({ name: 'secret_hash', type: 'bytea' }) secretHash!: Buffer;
  @Column({ type: 'text', array: true }) scopes!: string[];
  @Column({ name: 'memory_id', type: 'uuid', nullable: true }) memoryId!: string | null;
  @Column({ name: 'actor_id', type: 'text', nullable: true }) actorId!: string | null;
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true }) expiresAt!: Date | null;
  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true }) revokedAt!: Date | null;
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true }) lastUsedAt!: Date | null;
  @Column({ name: 'replaced_by', type: 'text', nullable: true }) replacedBy!: string | null;
}
