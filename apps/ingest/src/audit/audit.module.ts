import { Module } from '@nestjs/common';
import { PgAuditLog } from '@turnkeeper/postgres';
import type { IngestResources } from '../resources.js';
import { RESOURCES } from '@turnkeeper/runtime/nest';
import { AuditController } from './audit.controller.js';

/** The audit log of a tenant. */
@Module({
  controllers: [AuditController],
  providers: [
    {
      provide: PgAuditLog,
      inject: [RESOURCES],
      useFactory: ({ dataSource }: IngestResources) => new PgAuditLog(dataSource),
    },
  ],
})
export class AuditModule {}
