import { refusal } from '../errors.js';

export class ConnectorNotFound extends refusal('connector.not_found', 'not_found', {
  message: 'There is no such connector.',
  field: 'connectorId',
  rule: 'must name a connector of this tenant',
  next: 'List the connectors with GET /v1/connectors and use an id from there.',
}) {}

export class ConnectorSignatureInvalid extends refusal('connector.signature_invalid', 'unauthenticated', {
  message: "The vendor's signature is missing or wrong.",
  field: 'signature',
  rule: "must be computed over the raw body with the connector's secret",
  next: "Compare the connector's secret with the one in the vendor's console.",
}) {}

/** The signature is valid but outside its time window, or was already used for another message (a replay). */
export class ConnectorSignatureStale extends refusal('connector.signature_stale', 'unauthenticated', {
  message: 'The signature is too old, too new, or was used before.',
  field: 'Timestamp',
  rule: "must be within 10 minutes of this server's clock, and may be used only once",
  next: "Compare the sender's clock with this server's, and sign each message separately.",
}) {}

/** The call does not identify an actor. */
export class ConnectorActorUnknown extends refusal('connector.actor_unknown', 'invalid', {
  message: 'The call does not say who the user is.',
  field: 'actorId',
  rule: "must be derivable from the call, as the platform's page describes",
  next: 'Name the user in the call, map the call or change the connector, then retry its parked notices.',
}) {}

/** The vendor's message has a valid signature but cannot be parsed. */
export class NoticeUnreadable extends refusal('notice.unreadable', 'invalid', {
  message: "The notice is signed, but does not have the vendor's documented format.",
  title: 'The notice cannot be read.',
  rule: "must be in the vendor's documented form",
  next: 'Look at the notice in the list of parked notices, and report it if the vendor has changed its format.',
}) {}

/** An interruption arrived after its round was appended, so the answer was stored as if heard to its end. */
export class RoundSettled extends refusal('notice.round_settled', 'invalid', {
  message: 'The interruption arrived after its round had been stored.',
  title: 'The notice came too late.',
  rule: 'must arrive before the round is stored, 65 seconds after the round ends',
  next: 'Check why the callbacks are delayed; the answer is stored as if it had been heard in full.',
}) {}
