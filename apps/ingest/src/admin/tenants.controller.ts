import { Controller, Inject } from '@nestjs/common';
import { type LimitChanges, type OtherLimits, type Tenant } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { TenantIsCallers } from '@turnkeeper/domain';
import { listResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

/** Omits null fields, which mean the installation's default. */
const given = (limits: LimitChanges): OtherLimits =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => typeof value === 'number'));

const tenantResponse = ({ tenantId, ...tenant }: Tenant) => ({ id: tenantId, ...tenant, limits: { ...tenant.limits } });

@Controller()
export class TenantsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.createTenant)
  async create(@Input() { body }: CallOf<typeof routes.createTenant>) {
    return tenantResponse(await this.app.manageTenants.create(body.name, body.requestsPerSecond, given(body.limits)));
  }

  @Route(routes.listTenants)
  async list(@Input() { query }: CallOf<typeof routes.listTenants>) {
    const { limit, after } = query;
    const found = await this.app.manageTenants.list({ limit: limit + 1, after });
    return listResponse(found, limit, tenantResponse, ({ name }) => name);
  }

  @Route(routes.getTenant)
  async get(@Input() { path }: CallOf<typeof routes.getTenant>) {
    return tenantResponse(await this.app.manageTenants.get(path.tenantId));
  }

  @Route(routes.changeTenant)
  async change(@Input() { path, body }: CallOf<typeof routes.changeTenant>) {
    return tenantResponse(
      await this.app.manageTenants.limit(path.tenantId, { ...body.limits, requestsPerSecond: body.requestsPerSecond }),
    );
  }

  @Route(routes.deleteTenant)
  async delete(@Input() { tenantId: caller, path: { tenantId } }: CallOf<typeof routes.deleteTenant>) {
    if (tenantId === caller) throw new TenantIsCallers();
    const { memories, keys, outcome } = await this.app.deleteTenant.execute(tenantId);
    const subject = { tenantId, memoryId: null, actorId: null, sessionId: null };
    return this.app.erasureReceipts.receiptOf(
      subject,
      { outcomes: [outcome], keys: { erased: keys, left: 0 } },
      { memories, remains: REMAINS },
    );
  }
}

const REMAINS = [
  {
    what: 'events of the deleted memories',
    until: null,
    why: 'They cannot be read any more, and the worker deletes them in the background.',
  },
  { what: 'audit log', until: null, why: 'Who changed what in the tenant, without content, for AUDIT_LOG_DAYS.' },
] as const;
