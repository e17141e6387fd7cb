import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OutputSchema, RollingSettings, StrategyType } from '@turnkeeper/domain';

@Entity({ name: 'memories' })
export class MemoryEntity {
  @PrimaryColumn({ name: 'memory_id', type: 'uuid' }) memoryId!: string;
  @Column({ name: 'tenant_id', type: 'uuid' }) tenantId!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) description!: string;
  @Column({ name: 'event_expiry_duration', type: 'integer' }) eventExpiryDuration!: number;
  @Column({ type: 'text' }) status!: 'ACTIVE' | 'DELETED';
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt!: Date;
}

@Entity({ name: 'strategies' })
export class StrategyEntity {
  @PrimaryColumn({ name: 'strategy_id', type: 'uuid' }) strategyId!: string;
  @Column({ name: 'tenant_id', type: 'uuid' }) tenantId!: string;
  @Column({ name: 'memory_id', type: 'uuid' }) memoryId!: string;
  /** Index among the memory's strategies, from 0. */
  @Column({ type: 'integer' }) ordinal!: number;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) type!: StrategyType;
  @Column({ type: 'integer' }) version!: number;
  @Column({ name: 'namespace_template', type: 'text' }) namespaceTemplate!: string;
  @Column({ type: 'boolean' }) automatic!: boolean;
  @Column({ name: 'custom_prompt', type: 'text', nullable: true }) customPrompt!: string | null;
  @Column({ name: 'output_schema', type: 'json', nullable: true }) outputSchema!: OutputSchema | null;
  @Column({ type: 'json', nullable: true }) rolling!: RollingSettings | null;
  @Column({ type: 'text' }) status!: 'ACTIVE' | 'DISABLED';
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt!: Date;
}
