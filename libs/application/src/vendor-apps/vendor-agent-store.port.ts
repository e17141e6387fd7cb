import type { Json } from '@turnkeeper/domain';
import type { VendorApp } from './vendor-app-store.port.js';

/** A profile that was registered through a vendor's API: what new agents with its id start with. */
export interface VendorAgent {
  /** The vendor's id, unique in its app. */
  readonly agentId: string;
  readonly name: string;
  /** Configuration of the language model in the vendor's spelling, without its key. */
  readonly llm: { readonly [key: string]: Json };
}

type AppKey = Pick<VendorApp, 'tenantId' | 'vendor' | 'appId'>;

/**
 * - `exists`: the id is in use
 * - `full`: the tenant has the maximum number of profiles
 */
export type VendorAgentAdded = 'added' | 'exists' | 'full';

/** Profiles are deleted with their app. */
export interface VendorAgentStore {
  /** @param most maximum of the tenant; default: unlimited. Concurrent calls may exceed it by their number. */
  add(app: AppKey, agent: VendorAgent, most?: number | null): Promise<VendorAgentAdded>;
  /** Replaces the fields that are given. Resolves to false if there is no such profile. */
  change(app: AppKey, agentId: string, change: Partial<Omit<VendorAgent, 'agentId'>>): Promise<boolean>;
  /** Resolves to false if there was none. */
  remove(app: AppKey, agentId: string): Promise<boolean>;
  /** Those that exist, ordered by id. */
  find(app: AppKey, agentIds: readonly string[]): Promise<readonly VendorAgent[]>;
  /** Ordered by id, beginning after `after`; `total` counts all profiles of the app. */
  list(
    app: AppKey,
    page: { readonly after: string; readonly limit: number },
  ): Promise<{ readonly total: number; readonly agents: readonly VendorAgent[] }>;
}
