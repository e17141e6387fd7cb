import type { VendorRequest } from '@turnkeeper/application';
import { InvalidPayload, parseOrRefuse } from '@turnkeeper/contracts';
import { ConnectorSignatureInvalid } from '@turnkeeper/domain';
import type { z } from 'zod';
import { jsonOrUndefined } from '../shared/exact-json.js';
import { isBearerOf } from './signature.js';

export const authorizationOf = ({ headers: { authorization } }: VendorRequest): string | undefined =>
  Array.isArray(authorization) ? authorization[0] : authorization;

/** The platform does not sign these events: the server that forwards them sends the connector's secret. */
export const verifyForwarded =
  <Body>(body: z.ZodType<Body>) =>
  (request: VendorRequest, { secrets }: { readonly secrets: readonly string[] }): Body => {
    if (!isBearerOf(secrets, authorizationOf(request))) throw new ConnectorSignatureInvalid();
    const json = jsonOrUndefined(new TextDecoder().decode(request.raw));
    if (json === undefined) throw new InvalidPayload('body', [{ field: '', rule: 'must be JSON' }]);
    return parseOrRefuse('body', body, json);
  };
