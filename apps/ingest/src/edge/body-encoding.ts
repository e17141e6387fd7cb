import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BodyCutOff, BodyEncodingUnknown, BodyNotGzip } from './edge-errors.js';

const encodingOf = ({ headers }: FastifyRequest): string => headers['content-encoding']?.trim().toLowerCase() ?? '';

const isCompressed = (request: FastifyRequest): boolean => !['', 'identity'].includes(encodingOf(request));

/** Rejects a compressed body on streaming routes. */
export const refuseCompressed = (request: FastifyRequest): void => {
  if (isCompressed(request)) throw new BodyEncodingUnknown();
};

/**
 * Decodes a body sent with `Content-Encoding: gzip`. Readers stop at their limit and destroy the stream, so a small
 * body that inflates to a huge one costs no more than a rejected huge one.
 */
export const decoded = (request: FastifyRequest, payload: Readable): Readable => {
  if (!isCompressed(request)) return payload;
  if (!['gzip', 'x-gzip'].includes(encodingOf(request))) throw new BodyEncodingUnknown();
  const gunzip = createGunzip();
  // Not `pipeline`: it would close the connection with the decoder, before the error is sent.
  payload.once('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  return gunzip;
};

/** The client's error for a failure while reading a body. */
export const readingFailure = (error: Error): Error => {
  const { code } = error as { code?: string };
  if (code === 'ECONNRESET') return new BodyCutOff();
  return code?.startsWith('Z_') === true ? new BodyNotGzip() : error;
};
