import { DomainError } from '../errors.js';

export class ActorNotFound extends DomainError {
  readonly code = 'actor.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such actor.', {
      field: 'actorId',
      rule: 'must name an actor that has at least one session',
      next: 'Append an event to a session of the actor first.',
    });
  }
}

export class SessionNotFound extends DomainError {
  readonly code = 'session.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such session.', {
      field: 'sessionId',
      rule: 'must name a session that has at least one event',
      next: 'Append an event to it first.',
    });
  }
}

export class EventNotFound extends DomainError {
  readonly code = 'event.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such event.', {
      field: 'eventId',
      rule: 'must name an event of this session that has neither expired nor been deleted',
      next: "List the session's events and use an id from there.",
    });
  }
}
