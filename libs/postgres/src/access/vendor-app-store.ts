import { VendorAppTaken, type VendorApp, type VendorAppStore } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../connections/database.js';
import { serialize } from '../connections/serialized.js';
import { sqlFor, sqlOf } from '../connections/sql.js';
import { CONNECTORS_OF } from '../projections/usage/tenant-usage.js';
import { placeOf } from '../secrets/places.js';
import { SecretUnreadable, type SecretCipher } from '../secrets/secret-cipher.js';
import { viewOf } from '../connections/view.js';
import { refusing } from '../connections/lasting-failure.js';

type Row = Pick<VendorApp, 'vendor' | 'secret'> & { readonly tenant_id: string; readonly app_id: string };

const appOf = (row: Row, secret: string | null): VendorApp => ({ ...viewOf<VendorApp>(row), secret });

const OF_ALL_TENANTS = 'select * from vendor_apps where vendor = $1 and app_id = $2 order by tenant_id';

/** How long used signatures are stored. They are valid for 10 minutes before and after their timestamp. */
const SIGNATURE_MINUTES = 60;

export class PgVendorAppStore implements VendorAppStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: SecretCipher,
  ) {}

  async put(app: VendorApp, most: number | null = null): Promise<boolean> {
    const { tenantId, vendor, appId, memoryId, secret, createdAt } = app;
    const place = placeOf.vendorApp(tenantId, vendor, appId);
    const sealed = secret === null ? null : await this.cipher.seal(secret, place);
    // Uses a connection that sees all tenants: equal secrets have different ciphertexts, so they are decrypted and
    // compared, one registration per app at a time. The row's key contains the tenant.
    return refusing('vendor_apps_by_secret', VendorAppTaken, () =>
      this.dataSource.transaction(async (manager) => {
        await serialize(manager, 'apps', `${vendor}/${appId}`);
        const { apps } = await this.readable(await rowsOf<Row>(manager, OF_ALL_TENANTS, [vendor, appId]));
        const others = apps.filter((other) => other.tenantId !== tenantId);
        if (secret !== null && others.some((other) => other.secret === secret)) throw new VendorAppTaken();
        const stored = await rowsOf(
          manager,
          `insert into vendor_apps (tenant_id, vendor, app_id, memory_id, secret, created_at)
           select $1::uuid, $2, $3, $4, $5, $6::timestamptz
            where $7::bigint is null or ${CONNECTORS_OF('$1')} < $7
               or exists (select from vendor_apps where (tenant_id, vendor, app_id) = ($1, $2, $3))
           on conflict (tenant_id, vendor, app_id) do update set memory_id = excluded.memory_id, secret = excluded.secret
           returning 1`,
          [tenantId, vendor, appId, memoryId, sealed, createdAt, most],
        );
        return stored.length > 0;
      }),
    );
  }

  async list(tenantId: string): Promise<readonly VendorApp[]> {
    const rows = await sqlFor<Row>(this.dataSource, tenantId)`
      select * from vendor_apps where tenant_id = ${tenantId} order by created_at, vendor, app_id`;
    return rows.map((row) => appOf(row, row.secret === null ? null : ''));
  }

  async find(tenantId: string, vendor: string, appId: string): Promise<VendorApp | null> {
    const [row] = await sqlFor<Row>(this.dataSource, tenantId)`
      select * from vendor_apps where tenant_id = ${tenantId} and vendor = ${vendor} and app_id = ${appId}`;
    return row === undefined ? null : this.opened(row);
  }

  async remove(tenantId: string, vendor: string, appId: string): Promise<boolean> {
    const rows = await sqlFor(this.dataSource, tenantId)`
      delete from vendor_apps where tenant_id = ${tenantId} and vendor = ${vendor} and app_id = ${appId}
        returning app_id`;
    return rows.length > 0;
  }

  async takeSignature({ tenantId, vendor, appId }: VendorApp, signature: string): Promise<boolean> {
    const rows = await sqlOf(this.dataSource)`
      with old as (
         delete from vendor_signatures where ctid = any(array(
           select ctid from vendor_signatures where seen_at < now() - make_interval(mins => ${SIGNATURE_MINUTES})
             limit 100))
       )
       insert into vendor_signatures (tenant_id, vendor, app_id, signature)
         values (${tenantId}, ${vendor}, ${appId}, ${signature})
       on conflict do nothing returning 1`;
    return rows.length > 0;
  }

  async candidates(vendor: string, appId: string): Promise<readonly VendorApp[]> {
    const { apps, unreadable } = await this.readable(
      await rowsOf<Row>(this.dataSource, OF_ALL_TENANTS, [vendor, appId]),
    );
    if (apps.length === 0 && unreadable !== null) throw unreadable;
    return apps;
  }

  private async opened(row: Row): Promise<VendorApp> {
    const place = placeOf.vendorApp(row.tenant_id, row.vendor, row.app_id);
    return appOf(row, row.secret === null ? null : await this.cipher.open(row.secret, place));
  }

  /** A tenant's secret that cannot be decrypted does not block the others. */
  private async readable(rows: readonly Row[]) {
    const apps: VendorApp[] = [];
    let unreadable: SecretUnreadable | null = null;
    for (const row of rows) {
      try {
        apps.push(await this.opened(row));
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error;
        unreadable = error;
      }
    }
    return { apps, unreadable };
  }
}
