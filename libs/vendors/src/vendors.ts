import type { ConnectorVendors, VendorAppRule } from '@turnkeeper/application';
import { agentbase } from './agentbase/index.js';
import { agora } from './agora/index.js';
import { inworld } from './inworld/index.js';
import { livekit } from './livekit/index.js';
import { pipecat } from './pipecat/index.js';
import type { Vendor } from './vendor.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiRealtime } from './openai-realtime/index.js';
import { zegocloud } from './zegocloud/index.js';

/** Every voice platform whose callbacks can be received, in the order of the documentation. */
export const CONNECTABLE = [agora, zegocloud, openaiRealtime, livekit, pipecat] as const satisfies readonly Vendor[];

/** Every platform. */
export const VENDORS: readonly Vendor[] = [...CONNECTABLE, agentbase, inworld, openaiChat];

/** The headers in which an agent runtime names the end user. */
export const RUNTIME_HEADERS = agentbase.runtimeHeaders;

/** By name. */
export const connectorVendors: ConnectorVendors = new Map(
  CONNECTABLE.map(({ connector }) => [connector.name, connector] as const),
);

/** Names of the platforms whose projects can be registered. */
export const APP_VENDORS: readonly string[] = VENDORS.flatMap(({ name, app }) => (app === undefined ? [] : [name]));

/** Throws if a project violates its platform's rules. */
export const checkVendorApp: VendorAppRule = (app) =>
  VENDORS.find(({ name }) => name === app.vendor)?.app?.check?.(app);
