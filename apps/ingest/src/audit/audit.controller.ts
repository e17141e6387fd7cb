import { Controller, Inject } from '@nestjs/common';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { PgAuditLog } from '@turnkeeper/read-models';
import { TenantId } from '../auth/auth.guard.js';
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
    // One more than the page tells whether another one follows.
    const found = await this.audit.list(tenantId, query.after, query.limit + 1);
    const items = found.slice(0, query.limit);
    return { items, next: found.length > query.limit ? (items.at(-1)?.entry ?? null) : null };
  }
}
