import type { VendorRequest } from '@turnkeeper/application';
import { ConnectorSignatureInvalid } from '@turnkeeper/domain';
import { verifyAgora } from './signature.js';

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** Returns the body as signed. */
export const verifyAgoraRequest = (
  { raw, headers }: VendorRequest,
  { secrets }: { readonly secrets: readonly string[] },
): Uint8Array => {
  const signature = one(headers['agora-signature']);
  const signatureV2 = one(headers['agora-signature-v2']);
  if (!verifyAgora(secrets, raw, { signature, signatureV2 })) throw new ConnectorSignatureInvalid();
  return raw;
};
