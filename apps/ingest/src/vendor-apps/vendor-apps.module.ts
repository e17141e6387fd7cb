import { Module } from '@nestjs/common';
import { RegisterVendorApp } from '@turnkeeper/application';
import { useCases } from '@turnkeeper/runtime/nest';
import { VendorAppsController } from './vendor-apps.controller.js';

@Module({ controllers: [VendorAppsController], providers: useCases(RegisterVendorApp) })
export class VendorAppsModule {}
