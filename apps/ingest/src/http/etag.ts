import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { InvalidPayload } from '@turnkeeper/contracts';
import { refusal } from '@turnkeeper/domain';
import { sha256Hex } from '@turnkeeper/platform';
import type { FastifyInstance, FastifyRequest, onSendHookHandler, preSerializationHookHandler } from 'fastify';
import type { EdgeConfig } from '../edge/route-config.js';

/** `If-Match` names a version other than the current one. */
export class VersionDiffers extends refusal('request.version_differs', 'precondition', {
  message: 'The resource has changed since it was read.',
  field: 'If-Match',
  rule: 'must be the current ETag',
  next: 'Read the resource again, reapply the change, and send its new ETag.',
}) {}

/** Length of the truncated hash: 128 bits. */
const HASH_LENGTH = 32;

/** A strong validator of a representation, independent of field order. */
export const etagOf = (representation: unknown): string =>
  `"${sha256Hex(JSON.stringify(representation, inOrder)).slice(0, HASH_LENGTH)}"`;

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Compares the expected version of a change with the current representation. Throws `VersionDiffers`. */
export type VersionCheck = (current: unknown) => void;

const ETAG = /^"[\x21\x23-\x7e]*"$/;
const MAX_ETAGS = 20;

/** @param header `*`, or comma-separated ETags; absent: any version */
export const versionCheck = (header: string | undefined): VersionCheck => {
  if (header === undefined || header.trim() === '*') return () => undefined;
  const wanted = header.split(',', MAX_ETAGS + 1).map((one) => one.trim());
  if (wanted.length > MAX_ETAGS || !wanted.every((one) => ETAG.test(one))) {
    throw new InvalidPayload('If-Match', [
      { field: 'If-Match', rule: `must be * or at most ${MAX_ETAGS} ETags in double quotes, without W/` },
    ]);
  }
  return (current) => {
    if (!wanted.includes(etagOf(current))) throw new VersionDiffers();
  };
};

/** The request's `If-Match` as a check that the change runs on the locked row. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext) =>
  versionCheck(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']),
);

const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',', MAX_ETAGS).some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);

/**
 * Sends the `ETag` of responses on versioned routes, and 304 without a body for a GET whose `If-None-Match` matches.
 * Call before routes are registered.
 */
export const sendEtags = (server: FastifyInstance): void => {
  server.addHook('onRoute', (route) => {
    if ((route.config as EdgeConfig | undefined)?.spec?.versioned !== true) return;
    // A deleted resource has no version; the response has another representation.
    if (route.method === 'DELETE') return;
    const send: preSerializationHookHandler = (request, reply, payload, done) => {
      if (reply.statusCode >= 300) return done(null, payload);
      const etag = etagOf(payload);
      void reply.header('etag', etag);
      if (request.method === 'GET' && isKnown(request.headers['if-none-match'], etag)) {
        void reply.code(304);
      }
      done(null, payload);
    };
    const withoutBody: onSendHookHandler = (_request, reply, payload, done) =>
      done(null, reply.statusCode === 304 ? null : payload);
    route.onSend = [withoutBody, ...[route.onSend ?? []].flat()];
    route.preSerialization = [send, ...[route.preSerialization ?? []].flat()];
  });
};
