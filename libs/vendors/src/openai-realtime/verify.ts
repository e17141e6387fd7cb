import type { VendorRequest } from '@turnkeeper/application';
import { InvalidPayload, parseOrRefuse } from '@turnkeeper/contracts';
import { ConnectorSignatureInvalid } from '@turnkeeper/domain';
import { jsonOrUndefined } from '../shared/exact-json.js';
import { isBearerOf } from './signature.js';
import { realtimeBody, type RealtimeBody } from './shapes.js';

/** OpenAI does not sign these events: the server that forwards them sends the connector's secret. */
export const verifyRealtime = (
  { raw, headers }: VendorRequest,
  { secrets }: { readonly secrets: readonly string[] },
): RealtimeBody => {
  const { authorization } = headers;
  if (!isBearerOf(secrets, Array.isArray(authorization) ? authorization[0] : authorization)) {
    throw new ConnectorSignatureInvalid();
  }
  const json = jsonOrUndefined(new TextDecoder().decode(raw));
  if (json === undefined) throw new InvalidPayload('body', [{ field: '', rule: 'must be JSON' }]);
  return parseOrRefuse('body', realtimeBody, json);
};
