import { Controller, Inject } from '@nestjs/common';
import { RegisterVendorApp, type VendorApp, type VendorAppStore } from '@turnkeeper/application';
import { vendorAppRoutes } from '@turnkeeper/vendors';
import { boundedListResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { VENDOR_APP_STORE } from '@turnkeeper/runtime/nest';

const { putVendorApp, listVendorApps, deleteVendorApp } = vendorAppRoutes;

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
  async put(@Input() { tenantId, path, body }: CallOf<typeof putVendorApp>) {
    const { vendor, appId } = path;
    return vendorAppResponse(await this.register.execute(tenantId, { vendor, appId, ...body }));
  }

  @Route(listVendorApps)
  async list(@Input() { tenantId, query }: CallOf<typeof listVendorApps>) {
    const rows = await this.vendorApps.list(tenantId);
    const keyOf = ({ createdAt, vendor, appId }: VendorApp): string => `${createdAt}_${vendor}_${appId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'ascending', row: vendorAppResponse });
  }

  @Route(deleteVendorApp)
  async delete(@Input() { tenantId, path }: CallOf<typeof deleteVendorApp>) {
    await this.vendorApps.remove(tenantId, path.vendor, path.appId);
  }
}
