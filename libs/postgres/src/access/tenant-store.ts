import type { PageAfter, LimitChanges, Tenant, TenantStore } from '@turnkeeper/application';
import { TenantNameTaken } from '@turnkeeper/domain';
import { IsNull, MoreThan, type DataSource } from 'typeorm';
import { sqlOf } from '../connections/sql.js';
import { TenantEntity } from './key.entity.js';
import { viewOf } from '../connections/view.js';
import { refusing } from '../connections/lasting-failure.js';

const tenantOf = ({ deletedAt: _, ...row }: TenantEntity): Tenant => viewOf(row);

/** Queried by operators and before the tenant is known, so it works for all tenants. */
export class TypeOrmTenantStore implements TenantStore {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tenant: Tenant): Promise<void> {
    await refusing('tenants_name_key', TenantNameTaken, () =>
      this.dataSource.manager.insert(TenantEntity, { ...tenant, createdAt: new Date(tenant.createdAt) }),
    );
  }

  async ensure(tenant: Tenant): Promise<Tenant> {
    await sqlOf(this.dataSource)`
      insert into tenants (tenant_id, name, requests_per_second, limits, created_at)
        values (${tenant.tenantId}, ${tenant.name}, ${tenant.requestsPerSecond}, ${JSON.stringify(tenant.limits)},
          ${tenant.createdAt})
       on conflict (name) do nothing`;
    const row = await this.dataSource.manager.findOneByOrFail(TenantEntity, { name: tenant.name });
    return tenantOf(row);
  }

  async find(tenantId: string): Promise<Tenant | null> {
    const row = await this.dataSource.manager.findOneBy(TenantEntity, { tenantId, deletedAt: IsNull() });
    return row === null ? null : tenantOf(row);
  }

  async findByName(name: string): Promise<Tenant | null> {
    const row = await this.dataSource.manager.findOneBy(TenantEntity, { name, deletedAt: IsNull() });
    return row === null ? null : tenantOf(row);
  }

  async list({ limit, after }: PageAfter): Promise<readonly Tenant[]> {
    const rows = await this.dataSource.manager.find(TenantEntity, {
      where: { deletedAt: IsNull(), ...(after === undefined ? {} : { name: MoreThan(after) }) },
      order: { name: 'ASC' },
      take: limit,
    });
    return rows.map(tenantOf);
  }

  async limit(tenantId: string, { requestsPerSecond, ...others }: LimitChanges): Promise<Tenant | null> {
    await sqlOf(this.dataSource)`
      update tenants
          set requests_per_second = case when ${requestsPerSecond !== undefined}::boolean
            then ${requestsPerSecond ?? null}::integer else requests_per_second end,
              limits = jsonb_strip_nulls(limits || ${JSON.stringify(others)}::jsonb)
        where tenant_id = ${tenantId} and deleted_at is null`;
    return this.find(tenantId);
  }
}
