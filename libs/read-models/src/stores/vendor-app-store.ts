import { VendorAppTaken, type Vendor, type VendorApp, type VendorAppStore } from '@turnkeeper/application';
import { QueryFailedError, type DataSource } from 'typeorm';
import { rowsFor, rowsOf } from '../database.js';

interface Row {
  readonly tenant_id: string;
  readonly vendor: Vendor;
  readonly app_id: string;
  readonly memory_id: string;
  readonly secret: string | null;
  readonly created_at: Date;
}

const appOf = (row: Row): VendorApp => ({
  tenantId: row.tenant_id,
  vendor: row.vendor,
  appId: row.app_id,
  memoryId: row.memory_id,
  secret: row.secret,
  createdAt: row.created_at.toISOString(),
});

const isSecretClash = (error: unknown): boolean =>
  error instanceof QueryFailedError &&
  (error.driverError as { constraint?: string }).constraint === 'vendor_apps_by_secret';

/** A signature is fresh for 10 minutes before and after its time. */
const SIGNATURE_MINUTES = 60;

export class PgVendorAppStore implements VendorAppStore {
  constructor(private readonly dataSource: DataSource) {}

  async put({ tenantId, vendor, appId, memoryId, secret, createdAt }: VendorApp): Promise<void> {
    try {
      await rowsFor(
        this.dataSource,
        tenantId,
        `insert into vendor_apps (tenant_id, vendor, app_id, memory_id, secret, created_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (tenant_id, vendor, app_id) do update set memory_id = excluded.memory_id, secret = excluded.secret`,
        [tenantId, vendor, appId, memoryId, secret, createdAt],
      );
    } catch (error) {
      throw isSecretClash(error) ? new VendorAppTaken() : error;
    }
  }

  async list(tenantId: string): Promise<readonly VendorApp[]> {
    const rows = await rowsFor<Row>(
      this.dataSource,
      tenantId,
      'select * from vendor_apps where tenant_id = $1 order by created_at, vendor, app_id',
      [tenantId],
    );
    return rows.map(appOf);
  }

  async find(tenantId: string, vendor: Vendor, appId: string): Promise<VendorApp | null> {
    const [row] = await rowsFor<Row>(
      this.dataSource,
      tenantId,
      'select * from vendor_apps where tenant_id = $1 and vendor = $2 and app_id = $3',
      [tenantId, vendor, appId],
    );
    return row === undefined ? null : appOf(row);
  }

  async remove(tenantId: string, vendor: Vendor, appId: string): Promise<boolean> {
    const rows = await rowsFor(
      this.dataSource,
      tenantId,
      'delete from vendor_apps where tenant_id = $1 and vendor = $2 and app_id = $3 returning app_id',
      [tenantId, vendor, appId],
    );
    return rows.length > 0;
  }

  async takeSignature({ tenantId, vendor, appId }: VendorApp, signature: string): Promise<boolean> {
    const rows = await rowsOf(
      this.dataSource,
      `with old as (
         delete from vendor_signatures where ctid = any(array(
           select ctid from vendor_signatures where seen_at < now() - make_interval(mins => $5) limit 100))
       )
       insert into vendor_signatures (tenant_id, vendor, app_id, signature) values ($1, $2, $3, $4)
       on conflict do nothing returning 1`,
      [tenantId, vendor, appId, signature, SIGNATURE_MINUTES],
    );
    return rows.length > 0;
  }

  async candidates(vendor: Vendor, appId: string): Promise<readonly VendorApp[]> {
    const rows = await rowsOf<Row>(
      this.dataSource,
      'select * from vendor_apps where vendor = $1 and app_id = $2 order by tenant_id',
      [vendor, appId],
    );
    return rows.map(appOf);
  }
}
