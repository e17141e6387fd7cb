import type { VendorRequest } from '@turnkeeper/application';
import { parseOrRefuse } from '@turnkeeper/contracts';
import { ConnectorSignatureInvalid, ConnectorSignatureStale } from '@turnkeeper/domain';
import { decodeZegoBody, zegoCallbackBody, type ZegoCallbackBody } from './shapes.js';
import { verifyZegoCallback } from './signature.js';

/** A callback with a valid signature, and its bytes. */
export interface VerifiedCallback {
  readonly raw: Uint8Array;
  readonly callback: ZegoCallbackBody;
}

/** The signature is a field of the body, so the body is parsed first. */
export const verifyZego = (
  { raw }: VendorRequest,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: Date },
): VerifiedCallback => {
  const text = new TextDecoder().decode(raw);
  const callback = parseOrRefuse('body', zegoCallbackBody, decodeZegoBody(text));
  const { Timestamp: timestamp, Nonce: nonce, Signature: signature } = callback;
  const verdict = verifyZegoCallback(secrets, { timestamp, nonce, signature }, now);
  if (verdict === 'invalid') throw new ConnectorSignatureInvalid();
  if (verdict === 'stale') throw new ConnectorSignatureStale();
  return { raw, callback };
};
