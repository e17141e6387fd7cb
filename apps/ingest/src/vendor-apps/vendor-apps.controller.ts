import { Controller, Inject } from '@nestjs/common';
import { type VendorApp } from '@turnkeeper/application';
import { vendorAppRoutes } from '@turnkeeper/vendors';
import { boundedListResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

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
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(vendorAppRoutes.putVendorApp)
  async put(@Input() { tenantId, path, body }: CallOf<typeof vendorAppRoutes.putVendorApp>) {
    const { vendor, appId } = path;
    return vendorAppResponse(await this.app.registerVendorApp.execute(tenantId, { vendor, appId, ...body }));
  }

  @Route(vendorAppRoutes.listVendorApps)
  async list(@Input() { tenantId, query }: CallOf<typeof vendorAppRoutes.listVendorApps>) {
    const rows = await this.app.vendorApps.list(tenantId);
    const keyOf = ({ createdAt, vendor, appId }: VendorApp): string => `${createdAt}_${vendor}_${appId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'ascending', row: vendorAppResponse });
  }

  @Route(vendorAppRoutes.deleteVendorApp)
  async delete(@Input() { tenantId, path }: CallOf<typeof vendorAppRoutes.deleteVendorApp>) {
    await this.app.vendorApps.remove(tenantId, path.vendor, path.appId);
  }
}
