import type { Vendor } from '../vendor.js';
import { agoraErrors, withoutRegion } from './api/errors.js';
import { AGORA_ROUTES } from './api/routes.js';
import { agoraCallback, agoraConnectorBody } from './contract.js';
import { foldAgoraCall } from './fold.js';
import { readAgora } from './read.js';
import { verifyAgoraRequest } from './verify.js';

/** Agora's Conversational AI Engine: its notifications and its agent API. */
export const agora = {
  name: 'agora',
  connector: {
    name: 'agora',
    body: agoraConnectorBody,
    callback: agoraCallback,
    eventTypes: 'Agora: product and event number.',
    verify: verifyAgoraRequest,
    read: readAgora,
    fold: foldAgoraCall,
  },
  app: {},
  api: {
    routes: AGORA_ROUTES,
    errors: agoraErrors,
    rewriteUrl: withoutRegion,
    tag: 'The agent API of Agora’s Conversational AI Engine: the same paths, bodies and errors.',
  },
} as const satisfies Vendor<Uint8Array>;
