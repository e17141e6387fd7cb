import { RegisterVendorApp } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { VENDOR_APP_STORE } from '../tokens.js';
import { VendorAppsController } from './vendor-apps.controller.js';

export const vendorAppsFeature: Feature = {
  controllers: [VendorAppsController],
  providers: (stores) => [
    { provide: VENDOR_APP_STORE, useValue: stores.vendorApps },
    { provide: RegisterVendorApp, useValue: new RegisterVendorApp(stores) },
  ],
};
