import { foldForwarded } from '../forwarded/fold.js';
import { readForwarded } from '../forwarded/read.js';
import { forwardedBody, type ForwardedBody } from '../forwarded/shapes.js';
import { verifyForwarded } from '../forwarded/verify.js';
import type { Vendor } from '../vendor.js';
import { realtimeCallback, realtimeConnectorBody } from './contract.js';
import { planRealtimeCall } from './conversation.js';
import { REALTIME_TYPES, realtimeEvent } from './shapes.js';

const forwarding = { idName: 'openai realtime', event: realtimeEvent };

/** OpenAI's Realtime API: server events that the business's own server forwards. */
export const openaiRealtime = {
  name: 'openai-realtime',
  connector: {
    name: 'openai-realtime',
    body: realtimeConnectorBody,
    callback: realtimeCallback,
    eventTypes: "OpenAI Realtime: the event's type.",
    verify: verifyForwarded(forwardedBody),
    read: readForwarded(forwarding, REALTIME_TYPES),
    fold: foldForwarded(forwarding, planRealtimeCall),
  },
} as const satisfies Vendor<ForwardedBody>;
