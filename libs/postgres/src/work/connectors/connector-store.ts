import type { Connector, ConnectorStore, InstanceMapping } from '@turnkeeper/application';
import type { CallPlace } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { inTenant, rowsFor, rowsOf } from '../../connections/database.js';
import { openAll, placeOf, sealAll, withoutText } from '../../secrets/places.js';
import { CONNECTORS_OF, MAPPINGS_OF } from '../../projections/usage/tenant-usage.js';
import type { SecretCipher } from '../../secrets/secret-cipher.js';
import { viewOf } from '../../connections/view.js';
import { sqlFor, sqlOf, sqlViewsOf } from '../../connections/sql.js';

type ConnectorRow = Pick<Connector, 'secrets'> & { readonly connector_id: string };

const connectorOf = (row: ConnectorRow, secrets: Connector['secrets']): Connector => ({
  ...viewOf<Connector>(row),
  secrets,
});

export class PgConnectorStore implements ConnectorStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: SecretCipher,
  ) {}

  private async opened(row: ConnectorRow): Promise<Connector> {
    return connectorOf(row, await openAll(this.cipher, placeOf.connector(row.connector_id), row.secrets));
  }

  private async sealed({ connectorId, secrets }: Connector): Promise<string> {
    return JSON.stringify(await sealAll(this.cipher, placeOf.connector(connectorId), secrets));
  }

  async insert(connector: Connector, most: number | null = null): Promise<boolean> {
    const { connectorId, tenantId, memoryId, vendor, description, places, createdAt } = connector;
    const inserted = await rowsFor(
      this.dataSource,
      tenantId,
      `insert into connectors (connector_id, tenant_id, memory_id, vendor, description, places, secrets, created_at)
       select $1, $2::uuid, $3, $4, $5, $6, $7, $8::timestamptz
        where $9::bigint is null or ${CONNECTORS_OF('$2')} < $9
       returning 1`,
      [
        connectorId,
        tenantId,
        memoryId,
        vendor,
        description,
        JSON.stringify(places),
        await this.sealed(connector),
        createdAt,
        most,
      ],
    );
    return inserted.length > 0;
  }

  async list(tenantId: string): Promise<readonly Connector[]> {
    const rows = await sqlFor<ConnectorRow>(this.dataSource, tenantId)`
      select * from connectors where tenant_id = ${tenantId} order by created_at, connector_id`;
    return rows.map((row) => connectorOf(row, withoutText(row.secrets)));
  }

  async find(tenantId: string, connectorId: string): Promise<Connector | null> {
    const [row] = await sqlFor<ConnectorRow>(this.dataSource, tenantId)`
      select * from connectors where tenant_id = ${tenantId} and connector_id = ${connectorId}`;
    return row === undefined ? null : this.opened(row);
  }

  async findByPath(vendor: string, connectorId: string): Promise<Connector | null> {
    const [row] = await sqlOf<ConnectorRow>(this.dataSource)`
      select * from connectors where vendor = ${vendor} and connector_id = ${connectorId}`;
    return row === undefined ? null : this.opened(row);
  }

  change(
    tenantId: string,
    connectorId: string,
    change: (connector: Connector) => Connector,
  ): Promise<Connector | null> {
    return inTenant(this.dataSource, tenantId, (outside) =>
      outside.transaction(async (manager) => {
        const [row] = await sqlOf<ConnectorRow>(manager)`
          select * from connectors where tenant_id = ${tenantId} and connector_id = ${connectorId} for update`;
        if (row === undefined) return null;
        const changed = change(await this.opened(row));
        await sqlOf(manager)`
          update connectors set description = ${changed.description}, places = ${JSON.stringify(changed.places)},
            secrets = ${await this.sealed(changed)} where connector_id = ${connectorId}`;
        return changed;
      }),
    );
  }

  async delete(tenantId: string, connectorId: string): Promise<boolean> {
    const rows = await sqlFor(this.dataSource, tenantId)`
      delete from connectors where tenant_id = ${tenantId} and connector_id = ${connectorId} returning connector_id`;
    return rows.length > 0;
  }

  async mapInstance(
    connectorId: string,
    instanceId: string,
    place: CallPlace,
    most: number | null = null,
  ): Promise<boolean> {
    const mapped = await rowsOf(
      this.dataSource,
      `insert into connector_instances (connector_id, instance_id, actor_id, session_id)
       select c.connector_id, $2, $3, $4 from connectors c
        where c.connector_id = $1
          and ($5::bigint is null
               or exists (select from connector_instances i
                           where (i.connector_id, i.instance_id, i.actor_id, i.session_id) = ($1, $2, $3, $4))
               or ${MAPPINGS_OF('c.tenant_id', '$5')} < $5)
       on conflict (connector_id, instance_id)
       do update set actor_id = excluded.actor_id, session_id = excluded.session_id
       returning 1`,
      [connectorId, instanceId, place.actorId, place.sessionId, most],
    );
    return mapped.length > 0;
  }

  async placeOfInstance(connectorId: string, instanceId: string): Promise<CallPlace | null> {
    const [place] = await sqlViewsOf<CallPlace>(this.dataSource)`
      select actor_id, session_id from connector_instances where connector_id = ${connectorId}
        and instance_id = ${instanceId}`;
    return place ?? null;
  }

  async mappingsOf(
    connectorId: string,
    instanceId: string,
    { below = Number.MAX_SAFE_INTEGER, limit }: { readonly below: number | undefined; readonly limit: number },
  ): Promise<readonly InstanceMapping[]> {
    return sqlViewsOf<InstanceMapping>(this.dataSource)`
      select instance_id, actor_id, session_id, replaced_at, nth::float8 as nth
        from (select instance_id, actor_id, session_id, null::timestamptz as replaced_at,
          ${Number.MAX_SAFE_INTEGER}::bigint - 1 as nth
                from connector_instances where connector_id = ${connectorId} and instance_id = ${instanceId}
              union all
              select instance_id, actor_id, session_id, replaced_at, nth
                from replaced_instances where connector_id = ${connectorId} and instance_id = ${instanceId}
                  and nth < ${below}) mappings
       where nth < ${below} order by nth desc limit ${limit}`;
  }
}
