import type { Vendor } from '../vendor.js';
import * as routes from './contract.js';

/** Inworld's Realtime API. Its clients bring their memory state here and get it in Inworld's format. */
export const inworld = { name: 'inworld', routes: Object.values(routes) } as const satisfies Vendor;
