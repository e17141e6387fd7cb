import { requireMemory } from '../memories/require-memory.js';
import type { Clock } from '../ports/clock.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { Vendor, VendorApp, VendorAppStore } from '../ports/vendor-app-store.port.js';
import { VendorAppIdInvalid, VendorSecretMissing } from './vendor-app-errors.js';

/** Registers a project of a voice platform: its default memory and its signing secret. */
export class RegisterVendorApp {
  constructor(
    private readonly deps: {
      readonly vendorApps: VendorAppStore;
      readonly memories: MemoryStore;
      readonly clock: Clock;
    },
  ) {}

  async execute(
    tenantId: string,
    app: { readonly vendor: Vendor; readonly appId: string },
    settings: { readonly memoryId: string; readonly secret: string | null },
  ): Promise<VendorApp> {
    const { vendorApps, memories, clock } = this.deps;
    if (app.vendor === 'zegocloud') {
      if (!/^[1-9]\d{0,9}$/.test(app.appId)) throw new VendorAppIdInvalid();
      if (settings.secret === null) throw new VendorSecretMissing();
    }
    await requireMemory(memories, tenantId, settings.memoryId);
    const registered = { tenantId, ...app, ...settings, createdAt: clock.now().toISOString() };
    await vendorApps.put(registered);
    return registered;
  }
}
