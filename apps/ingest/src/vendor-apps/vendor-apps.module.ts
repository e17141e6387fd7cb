import { Module } from '@nestjs/common';
import { RegisterVendorApp } from '@turnkeeper/application';
import { useCases } from '../use-cases.js';
import { VendorAppsController } from './vendor-apps.controller.js';

@Module({ controllers: [VendorAppsController], providers: useCases(RegisterVendorApp) })
export class VendorAppsModule {}
