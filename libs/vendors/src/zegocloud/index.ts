import type { Vendor } from '../vendor.js';
import { zegoErrors } from './api/errors.js';
import { ZEGO_ROUTES } from './api/routes.js';
import { checkZegoApp } from './app.js';
import { zegoCallback, zegoConnectorBody } from './contract.js';
import { foldZegoCall } from './fold.js';
import { readZego } from './read.js';
import { verifyZego, type VerifiedCallback } from './verify.js';

/** ZEGOCLOUD's AI Agent: its callbacks and its server API. */
export const zegocloud = {
  name: 'zegocloud',
  connector: {
    name: 'zegocloud',
    body: zegoConnectorBody,
    callback: zegoCallback,
    eventTypes: "ZEGOCLOUD: the event's name.",
    verify: verifyZego,
    read: readZego,
    fold: foldZegoCall,
  },
  app: { check: checkZegoApp },
  api: {
    routes: ZEGO_ROUTES,
    tag: 'The agent API of ZEGOCLOUD: one path, signed queries, errors in the body with status 200.',
    errors: zegoErrors,
  },
} as const satisfies Vendor<VerifiedCallback>;
