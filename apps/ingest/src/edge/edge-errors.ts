import { DomainError } from '@turnkeeper/domain';

export class BodyTooDeep extends DomainError {
  readonly code = 'body.too_deep';
  readonly kind = 'invalid';
  constructor(depth: number) {
    super(`Objects and arrays are nested more than ${depth} levels deep.`, {
      title: 'The body is nested too deeply.',
      rule: `must nest objects and arrays at most ${depth} levels deep`,
      next: 'Flatten the body.',
    });
  }
}

export class BodyTooComplex extends DomainError {
  readonly code = 'body.too_complex';
  readonly kind = 'invalid';
  constructor(values: number) {
    super(`The body has more than ${values.toLocaleString('en-US')} members and items in all.`, {
      title: 'The body has too many values.',
      rule: `must have at most ${values.toLocaleString('en-US')} members and items in all`,
      next: 'Send fewer items at a time.',
    });
  }
}

/** A tenant sends more large bodies at the same time than it may. */
export class TooManyBytesInFlight extends DomainError {
  readonly code = 'tenant.bytes_in_flight';
  readonly kind = 'limited';
  constructor() {
    super('The large bodies of this tenant that are being served hold as many bytes as they may.', {
      title: 'This tenant sends too many bytes at the same time.',
      rule: 'must stay within TENANT_MAX_BODY_BYTES_IN_FLIGHT of this server',
      next: 'Send fewer large requests at the same time; wait for their answers.',
      facts: { retryAfterSeconds: 1 },
    });
  }
}

/** This process holds as many bytes of request bodies as it may. Answered with 503. */
export class ServerBusy extends Error {
  readonly code = 'server.busy';
  constructor() {
    super('The server is too busy to take this body.');
    this.name = 'ServerBusy';
  }
}

/** The body did not arrive in time. Answered with 408, after which the connection is closed. */
export class BodyLate extends Error {
  readonly code = 'request.timeout';
  readonly statusCode = 408;
  constructor() {
    super('The body did not arrive in time.');
    this.name = 'BodyLate';
  }
}
