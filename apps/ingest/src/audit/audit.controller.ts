import { Controller, Inject } from '@nestjs/common';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { PgAuditLog } from '@turnkeeper/postgres';
import { TenantId } from '../auth/auth.guard.js';
import { listResponse } from '../http/paging.js';
import { Input, Route } from '../http/route.js';

const { listAuditLog } = routes;

@Controller()
export class AuditController {
  constructor(@Inject(PgAuditLog) private readonly audit: PgAuditLog) {}

  @Route(listAuditLog)
  async list(
    @TenantId() tenantId: string,
    @Input(listAuditLog) { query }: InputOf<typeof listAuditLog>,
  ): Promise<OutputOf<typeof listAuditLog>> {
    const found = await this.audit.list(tenantId, query.after, query.limit + 1);
    return listResponse(
      found,
      query.limit,
      (entry) => entry,
      ({ entry }) => String(entry),
    );
  }
}
