import type { VendorApp } from '@turnkeeper/application';

/** Runs an action; returns its `Data`, or nothing. */
export type ZegoAction = (app: VendorApp, body: unknown) => Promise<object | undefined>;
