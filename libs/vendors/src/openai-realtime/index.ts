import type { Vendor } from '../vendor.js';
import { realtimeCallback, realtimeConnectorBody } from './contract.js';
import { foldRealtimeCall } from './fold.js';
import { readRealtime } from './read.js';
import type { RealtimeBody } from './shapes.js';
import { verifyRealtime } from './verify.js';

/** OpenAI's Realtime API: server events that the business's own server forwards. */
export const openaiRealtime = {
  name: 'openai-realtime',
  connector: {
    name: 'openai-realtime',
    body: realtimeConnectorBody,
    callback: realtimeCallback,
    eventTypes: "OpenAI Realtime: the event's type.",
    verify: verifyRealtime,
    read: readRealtime,
    fold: foldRealtimeCall,
  },
} as const satisfies Vendor<RealtimeBody>;
