import { foldForwarded } from '../forwarded/fold.js';
import { readForwarded } from '../forwarded/read.js';
import type { ForwardedBody } from '../forwarded/shapes.js';
import type { Vendor } from '../vendor.js';
import { livekitCallback, livekitConnectorBody } from './contract.js';
import { planLivekitCall } from './conversation.js';
import { LIVEKIT_TYPES, livekitEvent } from './shapes.js';
import { verifyLivekit } from './verify.js';

const forwarding = { idName: 'livekit', event: livekitEvent };

/** LiveKit Agents: events of a session, which the agent's process forwards, and webhooks of LiveKit's server. */
export const livekit = {
  name: 'livekit',
  connector: {
    name: 'livekit',
    body: livekitConnectorBody,
    callback: livekitCallback,
    eventTypes: "LiveKit: the event's type.",
    verify: verifyLivekit,
    read: readForwarded(forwarding, LIVEKIT_TYPES),
    fold: foldForwarded(forwarding, planLivekitCall),
  },
} as const satisfies Vendor<ForwardedBody>;
