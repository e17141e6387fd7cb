import { refusal } from '../errors.js';

export class ActorNotFound extends refusal('actor.not_found', 'not_found', {
  message: 'There is no such actor.',
  field: 'actorId',
  rule: 'must name an actor that has at least one session',
  next: 'Append an event to a session of the actor first.',
}) {}

export class SessionNotFound extends refusal('session.not_found', 'not_found', {
  message: 'There is no such session.',
  field: 'sessionId',
  rule: 'must name a session that has at least one event',
  next: 'Append an event to it first.',
}) {}

export class EventNotFound extends refusal('event.not_found', 'not_found', {
  message: 'There is no such event.',
  field: 'eventId',
  rule: 'must name an event of this session that has neither expired nor been deleted',
  next: "List the session's events and use an id from there.",
}) {}
