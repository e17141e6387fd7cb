import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BodyEncodingUnknown, BodyNotGzip } from './edge-errors.js';

const encodingOf = ({ headers }: FastifyRequest): string => headers['content-encoding']?.trim().toLowerCase() ?? '';

export const isCompressed = (request: FastifyRequest): boolean => !['', 'identity'].includes(encodingOf(request));

/** Refuses a compressed body where it is read as a stream. */
export const refuseCompressed = (request: FastifyRequest): void => {
  if (isCompressed(request)) throw new BodyEncodingUnknown();
};

/**
 * The bytes of a body as they were before `Content-Encoding: gzip`. Whoever reads them stops at its limit and destroys
 * the stream, so a small body that inflates to a huge one costs no more than a huge one that is refused.
 */
export const decoded = (request: FastifyRequest, payload: Readable): Readable => {
  if (!isCompressed(request)) return payload;
  if (!['gzip', 'x-gzip'].includes(encodingOf(request))) throw new BodyEncodingUnknown();
  const gunzip = createGunzip();
  // Not a pipeline: that would end the connection together with the decoder, before a refusal is sent.
  payload.once('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  return gunzip;
};

/** A failure while a body was read, as the client is told of it. */
export const readingFailure = (error: Error): Error =>
  (error as { code?: string }).code?.startsWith('Z_') === true ? new BodyNotGzip() : error;
