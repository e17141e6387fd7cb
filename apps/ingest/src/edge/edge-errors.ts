import { fieldOf } from '@turnkeeper/contracts';
import { refusal } from '@turnkeeper/domain';
import { httpFailure } from '../http/http-failure.js';

export class BodyTooDeep extends refusal('body.too_deep', 'invalid', (depth: number) => ({
  message: `Objects and arrays are nested more than ${depth} levels deep.`,
  title: 'The body is nested too deeply.',
  rule: `must nest objects and arrays at most ${depth} levels deep`,
  next: 'Flatten the body.',
})) {}

export class BodyTooComplex extends refusal('body.too_complex', 'invalid', (values: number) => ({
  message: `The body has more than ${values.toLocaleString('en-US')} members and items in total.`,
  title: 'The body has too many values.',
  rule: `must have at most ${values.toLocaleString('en-US')} members and items in total`,
  next: 'Send fewer items per request.',
})) {}

export class KeyRepeated extends refusal('body.repeated_key', 'invalid', (path: readonly PropertyKey[]) => ({
  message: 'An object in the body has the same key twice.',
  field: fieldOf(path),
  rule: 'must occur once in its object',
  next: 'Send each key once.',
})) {}

/** The route declares no body, so nothing in it could have a meaning. */
export class BodyNotAccepted extends refusal('body.not_accepted', 'invalid', {
  message: 'This route takes no body.',
  field: 'body',
  rule: 'must be absent',
  next: 'Send the request without a body; what it is about is in its path and its query.',
}) {}

export class BodyNotGzip extends refusal('body.invalid_gzip', 'invalid', {
  message: 'The body is not valid gzip.',
  field: 'Content-Encoding',
  rule: 'must match how the body is compressed',
  next: 'Compress the whole body with gzip, or leave Content-Encoding out.',
}) {}

/** Unsupported content encoding. Returned as 415 with `Accept-Encoding`. */
export class BodyEncodingUnknown extends httpFailure(
  'body.encoding_unknown',
  'The Content-Encoding is not accepted.',
  415,
) {}

/** The tenant is over its limit of buffered body bytes. */
export class TooManyBytesInFlight extends refusal('tenant.bytes_in_flight', 'limited', {
  message: 'The large request bodies of this tenant that are being processed have reached their limit in bytes.',
  title: 'This tenant sends too many bytes concurrently.',
  rule: 'must stay within TENANT_MAX_BODY_BYTES_IN_FLIGHT of this server',
  next: 'Send fewer large requests concurrently; wait for their responses.',
  facts: { retryAfterSeconds: 1 },
}) {}

/** This process is at its limit of buffered body bytes. Returned as 503. */
export class ServerBusy extends httpFailure('server.busy', 'The server is too busy to take this body.') {}

/** The body did not arrive in time. Returned as 408; the connection is closed. */
export class BodyLate extends httpFailure('request.timeout', 'The body did not arrive in time.', 408) {}

/** The client closed the connection before the end of its body: nothing that an operator must look at. */
export class BodyCutOff extends httpFailure(
  'request.invalid',
  'The connection was closed before the end of the body.',
  400,
) {}
