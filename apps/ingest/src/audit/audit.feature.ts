import { PgAuditLog } from '@turnkeeper/postgres';
import type { Feature } from '../feature.js';
import { AuditController } from './audit.controller.js';

/** The audit log of a tenant. */
export const auditFeature: Feature = {
  controllers: [AuditController],
  providers: (_stores, { dataSource }) => [{ provide: PgAuditLog, useValue: new PgAuditLog(dataSource) }],
};
