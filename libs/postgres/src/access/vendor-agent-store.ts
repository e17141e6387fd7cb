import type { VendorAgent, VendorAgentAdded, VendorAgentStore } from '@turnkeeper/application';
import { writeJson } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { rowsFor } from '../connections/database.js';

type AppKey = Parameters<VendorAgentStore['add']>[0];

const OF_APP = 'tenant_id = $1 and vendor = $2 and app_id = $3';

export class PgVendorAgentStore implements VendorAgentStore {
  constructor(private readonly dataSource: DataSource) {}

  async add(app: AppKey, { agentId, name, llm }: VendorAgent, most: number | null = null): Promise<VendorAgentAdded> {
    const [row] = await this.rows<{ outcome: VendorAgentAdded }>(
      app,
      `with room as (
         select $7::bigint is null or (select count(*) from vendor_agents where tenant_id = $1) < $7 as is_left
       ), added as (
         insert into vendor_agents (tenant_id, vendor, app_id, agent_id, name, llm)
         select $1, $2, $3, $4, $5, $6 from room where is_left
         on conflict do nothing returning 1
       )
       select case when exists (select from added) then 'added'
                   when is_left or exists (select from vendor_agents where ${OF_APP} and agent_id = $4) then 'exists'
                   else 'full' end as outcome
         from room`,
      [agentId, name, writeJson(llm), most],
    );
    return row?.outcome ?? 'full';
  }

  async change(app: AppKey, agentId: string, { name, llm }: Partial<VendorAgent>): Promise<boolean> {
    const rows = await this.rows(
      app,
      `update vendor_agents set name = coalesce($5, name), llm = coalesce($6::json, llm)
        where ${OF_APP} and agent_id = $4 returning 1`,
      [agentId, name ?? null, llm === undefined ? null : writeJson(llm)],
    );
    return rows.length > 0;
  }

  async remove(app: AppKey, agentId: string): Promise<boolean> {
    const rows = await this.rows(app, `delete from vendor_agents where ${OF_APP} and agent_id = $4 returning 1`, [
      agentId,
    ]);
    return rows.length > 0;
  }

  find(app: AppKey, agentIds: readonly string[]): Promise<readonly VendorAgent[]> {
    return this.rows<VendorAgent>(
      app,
      `select agent_id as "agentId", name, llm from vendor_agents
        where ${OF_APP} and agent_id = any($4::text[]) order by agent_id`,
      [agentIds],
    );
  }

  async list(app: AppKey, { after, limit }: { readonly after: string; readonly limit: number }) {
    const rows = await this.rows<VendorAgent & { total: number }>(
      app,
      `select a.agent_id as "agentId", a.name, a.llm, total.total
         from (select count(*)::float8 as total from vendor_agents where ${OF_APP}) total
         left join lateral (
           select * from vendor_agents where ${OF_APP} and agent_id > $4 order by agent_id limit $5) a on true
        order by a.agent_id`,
      [after, limit],
    );
    return {
      total: rows[0]?.total ?? 0,
      agents: rows.filter(({ agentId }) => agentId !== null).map(({ agentId, name, llm }) => ({ agentId, name, llm })),
    };
  }

  private rows<R>({ tenantId, vendor, appId }: AppKey, text: string, parameters: unknown[]): Promise<R[]> {
    return rowsFor<R>(this.dataSource, tenantId, text, [tenantId, vendor, appId, ...parameters]);
  }
}
