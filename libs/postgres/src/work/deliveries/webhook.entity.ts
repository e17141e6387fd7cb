import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WebhookEvent, WebhookFormat, WebhookSecret } from '@turnkeeper/domain';

@Entity({ name: 'webhook_endpoints' })
export class WebhookEndpointEntity {
  @PrimaryColumn({ name: 'endpoint_id', type: 'uuid' }) endpointId!: string;
  @Column({ name: 'tenant_id', type: 'uuid' }) tenantId!: string;
  @Column({ type: 'text' }) url!: string;
  @Column({ type: 'text' }) description!: string;
  @Column({ type: 'text', array: true, nullable: true }) events!: WebhookEvent[] | null;
  @Column({ type: 'text' }) format!: WebhookFormat;
  @Column({ type: 'json' }) secrets!: WebhookSecret[];
  @Column({ type: 'text' }) status!: 'active' | 'paused' | 'disabled';
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  /** Consecutive attempts that timed out. Written by attempts only. */
  @Column({ type: 'integer', insert: false, update: false }) timeouts!: number;
}
