import { Controller, Inject } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { listResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

@Controller()
export class AuditController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.listAuditLog)
  async list(@Input() { tenantId, query }: CallOf<typeof routes.listAuditLog>) {
    const found = await this.app.auditLog.list(tenantId, query.after, query.limit + 1);
    return listResponse(
      found,
      query.limit,
      (entry) => entry,
      ({ entry }) => String(entry),
    );
  }
}
