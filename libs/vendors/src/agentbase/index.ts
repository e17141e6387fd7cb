import type { Vendor } from '../vendor.js';

/** GreenNode AgentBase. Its runtime names the end user in two headers, which agents forward (their guide, step 2). */
export const agentbase = {
  name: 'agentbase',
  runtimeHeaders: { user: 'X-GreenNode-AgentBase-User-Id', session: 'X-GreenNode-AgentBase-Session-Id' },
} as const satisfies Vendor;
