import { Controller, Inject } from '@nestjs/common';
import { RegisterVendorApp, type Vendor, type VendorApp, type VendorAppStore } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { boundedListResponse } from '../http/paging.js';
import { Input, Route } from '../http/route.js';
import { VENDOR_APP_STORE } from '../tokens.js';

const { putVendorApp, listVendorApps, deleteVendorApp } = routes;

/** Without its secret. */
const vendorAppResponse = ({ vendor, appId, memoryId, secret, createdAt }: VendorApp) => ({
  vendor,
  appId,
  memoryId,
  hasSecret: secret !== null,
  createdAt,
});

/** A tenant's projects at voice platforms, with their requests and agents. */
@Controller()
export class VendorAppsController {
  constructor(
    @Inject(RegisterVendorApp) private readonly register: RegisterVendorApp,
    @Inject(VENDOR_APP_STORE) private readonly vendorApps: VendorAppStore,
  ) {}

  @Route(putVendorApp)
  async put(
    @TenantId() tenantId: string,
    @Input(putVendorApp) { path, body }: InputOf<typeof putVendorApp>,
  ): Promise<OutputOf<typeof putVendorApp>> {
    const app = { vendor: path.vendor as Vendor, appId: path.appId };
    return vendorAppResponse(await this.register.execute(tenantId, app, body));
  }

  @Route(listVendorApps)
  async list(
    @TenantId() tenantId: string,
    @Input(listVendorApps) { query }: InputOf<typeof listVendorApps>,
  ): Promise<OutputOf<typeof listVendorApps>> {
    const rows = await this.vendorApps.list(tenantId);
    const keyOf = ({ createdAt, vendor, appId }: VendorApp): string => `${createdAt}_${vendor}_${appId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'ascending', row: vendorAppResponse });
  }

  @Route(deleteVendorApp)
  async delete(
    @TenantId() tenantId: string,
    @Input(deleteVendorApp) { path }: InputOf<typeof deleteVendorApp>,
  ): Promise<OutputOf<typeof deleteVendorApp>> {
    await this.vendorApps.remove(tenantId, path.vendor as Vendor, path.appId);
    return undefined;
  }
}
