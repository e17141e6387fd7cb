import { Controller, Inject } from '@nestjs/common';
import { DeleteTenant, ManageTenants, type LimitChanges, type OtherLimits, type Tenant } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantIsCallers } from '@turnkeeper/domain';
import { TenantId } from '../auth/auth.guard.js';
import { listResponse } from '../http/paging.js';
import { Input, Route } from '../http/route.js';
import { ErasureReceipts } from '../sessions/erasure-receipts.js';

const { createTenant, listTenants, getTenant, changeTenant, deleteTenant } = routes;

/** Omits null fields, which mean the installation's default. */
const given = (limits: LimitChanges): OtherLimits =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => typeof value === 'number'));

const tenantResponse = ({ tenantId, ...tenant }: Tenant) => ({ id: tenantId, ...tenant, limits: { ...tenant.limits } });

@Controller()
export class TenantsController {
  constructor(
    @Inject(ManageTenants) private readonly tenants: ManageTenants,
    @Inject(DeleteTenant) private readonly deleteTenant: DeleteTenant,
    @Inject(ErasureReceipts) private readonly receipts: ErasureReceipts,
  ) {}

  @Route(createTenant)
  async create(@Input(createTenant) { body }: InputOf<typeof createTenant>): Promise<OutputOf<typeof createTenant>> {
    return tenantResponse(await this.tenants.create(body.name, body.requestsPerSecond, given(body.limits)));
  }

  @Route(listTenants)
  async list(@Input(listTenants) { query }: InputOf<typeof listTenants>): Promise<OutputOf<typeof listTenants>> {
    const { limit, after } = query;
    const found = await this.tenants.list({ limit: limit + 1, after });
    return listResponse(found, limit, tenantResponse, ({ name }) => name);
  }

  @Route(getTenant)
  async get(@Input(getTenant) { path }: InputOf<typeof getTenant>): Promise<OutputOf<typeof getTenant>> {
    return tenantResponse(await this.tenants.get(path.tenantId));
  }

  @Route(changeTenant)
  async change(
    @Input(changeTenant) { path, body }: InputOf<typeof changeTenant>,
  ): Promise<OutputOf<typeof changeTenant>> {
    return tenantResponse(
      await this.tenants.limit(path.tenantId, { ...body.limits, requestsPerSecond: body.requestsPerSecond }),
    );
  }

  @Route(deleteTenant)
  async delete(
    @TenantId() caller: string,
    @Input(deleteTenant) { path: { tenantId } }: InputOf<typeof deleteTenant>,
  ): Promise<OutputOf<typeof deleteTenant>> {
    if (tenantId === caller) throw new TenantIsCallers();
    const { memories, keys, outcome } = await this.deleteTenant.execute(tenantId);
    const subject = { tenantId, memoryId: null, actorId: null, sessionId: null };
    return this.receipts.receiptOf(
      subject,
      { outcomes: [outcome], keys: { erased: keys, left: 0 } },
      { memories, remains: REMAINS },
    );
  }
}

const REMAINS = [
  {
    ...{ what: 'events of the deleted memories', until: null },
    why: 'They cannot be read any more, and the worker deletes them in the background.',
  },
  {
    ...{ what: 'audit log', until: null },
    why: 'Who changed what in the tenant, without content, for AUDIT_LOG_DAYS.',
  },
] as const;
