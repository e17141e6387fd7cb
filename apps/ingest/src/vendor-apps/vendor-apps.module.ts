import { Module } from '@nestjs/common';
import { RegisterVendorApp } from '@turnkeeper/application';
import type { Stores } from '@turnkeeper/runtime';
import { STORES } from '@turnkeeper/runtime/nest';
import { KnownLimits } from '../limits/known-limits.js';
import { LimitsModule } from '../limits/limits.module.js';
import { VendorAppsController } from './vendor-apps.controller.js';

@Module({
  imports: [LimitsModule],
  controllers: [VendorAppsController],
  providers: [
    {
      provide: RegisterVendorApp,
      inject: [STORES, KnownLimits],
      useFactory: (stores: Stores, limits: KnownLimits) =>
        new RegisterVendorApp({ ...stores, mostConnectors: limits.mostOf('connectors') }),
    },
  ],
})
export class VendorAppsModule {}
