import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AgentStatus } from '@turnkeeper/domain';
import { bigintAsNumber, exactJson } from '../../connections/transformers.js';

@Entity({ name: 'agents' })
export class AgentEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'uuid' }) agentId!: string;
  @Column({ name: 'tenant_id', type: 'uuid' }) tenantId!: string;
  @Column({ name: 'memory_id', type: 'uuid' }) memoryId!: string;
  @Column({ name: 'actor_id', type: 'text' }) actorId!: string;
  @Column({ name: 'session_id', type: 'text' }) sessionId!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) vendor!: string;
  @Column({ type: 'text' }) status!: AgentStatus;
  @Column({ name: 'max_history', type: 'integer' }) maxHistory!: number;
  @Column({ type: 'text', nullable: true }) channel!: string | null;
  @Column({ name: 'system_messages', type: 'text', transformer: exactJson }) systemMessages!: object;
  @Column({ type: 'text', transformer: exactJson }) params!: object;
  @Column({ type: 'text', transformer: exactJson }) labels!: object;
  @Column({ name: 'started_sequence', type: 'bigint', transformer: bigintAsNumber }) startedSequence!: number;
  @Column({ name: 'idle_timeout_seconds', type: 'integer' }) idleTimeoutSeconds!: number;
  @Column({ name: 'load_history', type: 'integer' }) loadHistory!: number;
  @Column({ name: 'app_id', type: 'text', nullable: true }) appId!: string | null;
  @Column({ name: 'vendor_agent_id', type: 'text', nullable: true }) vendorAgentId!: string | null;
  @Column({ name: 'started_at', type: 'timestamptz' }) startedAt!: Date;
  @Column({ name: 'updated_at', type: 'timestamptz', nullable: true }) updatedAt!: Date | null;
  @Column({ name: 'stopped_sequence', type: 'bigint', nullable: true, transformer: bigintAsNumber })
  stoppedSequence!: number | null;
  @Column({ name: 'stopped_at', type: 'timestamptz', nullable: true }) stoppedAt!: Date | null;
  @Column({ name: 'stop_reason', type: 'text', nullable: true }) stopReason!: string | null;
}
