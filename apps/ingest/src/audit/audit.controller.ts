import { Controller, Inject } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { PgAuditLog } from '@turnkeeper/postgres';
import { listResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';

const { listAuditLog } = routes;

@Controller()
export class AuditController {
  constructor(@Inject(PgAuditLog) private readonly audit: PgAuditLog) {}

  @Route(listAuditLog)
  async list(@Input() { tenantId, query }: CallOf<typeof listAuditLog>) {
    const found = await this.audit.list(tenantId, query.after, query.limit + 1);
    return listResponse(
      found,
      query.limit,
      (entry) => entry,
      ({ entry }) => String(entry),
    );
  }
}
