import { text, uuid, VENDOR_BODY_BYTES } from '@turnkeeper/contracts';
import { z } from 'zod';

/** The secret from the vendor's console that signs its callbacks. Shorter ones could be guessed. */
export const secret = text(255, 6).regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

/** Fields of every connector. */
export const connectorBase = { memoryId: uuid, description: text(255).default(''), secret };

export const label = text(255, 1);

/** A template of ids that may use these variables of a call. */
export const templateOf = (variables: readonly string[]) =>
  text(255, 1).refine(
    (template) => [...template.matchAll(/\{([^{}]*)\}/g)].every(([, name]) => variables.includes(name ?? '')),
    `may name ${variables.map((name) => `{${name}}`).join(', ')} and nothing else`,
  );

const receivedView = z.object({ received: z.literal(true), duplicate: z.boolean() });

/** The raw bytes, because the signature covers them. */
const vendorBody = z.unknown().meta({ type: 'object', description: "The vendor's own JSON; see its documentation." });

/** What the routes of all callbacks have in common. */
export const callbackOf = <Path extends string>(path: Path) =>
  ({
    method: 'POST',
    path,
    tag: "Vendors' callbacks",
    scope: null,
    rawBody: true,
    bodyBytes: VENDOR_BODY_BYTES,
    body: vendorBody,
    status: 200,
    response: receivedView,
  }) as const;
