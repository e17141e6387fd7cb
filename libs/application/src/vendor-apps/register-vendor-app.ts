import { TooManyConnectors } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { MostOf } from '../tenancy/most-of.js';
import type { VendorApp } from './vendor-app-store.port.js';

/**
 * Checks a project against its platform's rules.
 *
 * @throws DomainError with the violated rule
 */
export type VendorAppRule = (app: Pick<VendorApp, 'vendor' | 'appId' | 'secret'>) => void;

/** Registers a project of a voice platform: its default memory and its signing secret. */
export class RegisterVendorApp {
  constructor(
    private readonly deps: Pick<Ports, 'vendorApps' | 'memories' | 'clock'> & {
      readonly checkVendorApp: VendorAppRule;
      readonly mostConnectors: MostOf;
    },
  ) {}

  /** Rejects with `MemoryNotFound`, `VendorAppTaken` or `TooManyConnectors`. */
  async execute(
    tenantId: string,
    app: Pick<VendorApp, 'vendor' | 'appId' | 'memoryId' | 'secret'>,
  ): Promise<VendorApp> {
    const { vendorApps, memories, clock, checkVendorApp, mostConnectors } = this.deps;
    checkVendorApp(app);
    await requireMemory(memories, tenantId, app.memoryId);
    const registered = { tenantId, ...app, createdAt: clock.now().toISOString() };
    const most = await mostConnectors(tenantId);
    if (!(await vendorApps.put(registered, most))) throw new TooManyConnectors(most ?? 0);
    return registered;
  }
}
