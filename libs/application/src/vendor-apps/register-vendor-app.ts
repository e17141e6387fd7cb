import { requireMemory } from '../memories/require-memory.js';
import type { Clock } from '../shared/clock.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { VendorApp, VendorAppStore } from './vendor-app-store.port.js';

/**
 * Checks a project against its platform's rules.
 *
 * @throws DomainError with the violated rule
 */
export type VendorAppRule = (app: Pick<VendorApp, 'vendor' | 'appId' | 'secret'>) => void;

/** Registers a project of a voice platform: its default memory and its signing secret. */
export class RegisterVendorApp {
  constructor(
    private readonly deps: {
      readonly vendorApps: VendorAppStore;
      readonly memories: MemoryStore;
      readonly clock: Clock;
      readonly checkVendorApp: VendorAppRule;
    },
  ) {}

  async execute(
    tenantId: string,
    app: Pick<VendorApp, 'vendor' | 'appId' | 'memoryId' | 'secret'>,
  ): Promise<VendorApp> {
    const { vendorApps, memories, clock, checkVendorApp } = this.deps;
    checkVendorApp(app);
    await requireMemory(memories, tenantId, app.memoryId);
    const registered = { tenantId, ...app, createdAt: clock.now().toISOString() };
    await vendorApps.put(registered);
    return registered;
  }
}
