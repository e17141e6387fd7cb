import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';

/** A file that is served from memory. */
export interface StaticAsset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

export const assetOf = (type: string, bytes: Buffer): StaticAsset => ({
  type,
  bytes,
  gzipped: gzipSync(bytes),
  etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
});

export interface AssetRequest {
  /** `Accept-Encoding`. */
  readonly accepted: string | undefined;
  /** `If-None-Match`. */
  readonly known: string | undefined;
}

/** Sends an asset, compressed if the client takes it; 304 if the client has it. */
export const sendAsset = (
  reply: FastifyReply,
  asset: StaticAsset,
  { accepted, known }: AssetRequest,
  cacheControl: string,
): void => {
  void reply
    .header('etag', asset.etag)
    .header('cache-control', cacheControl)
    .header('vary', 'Accept-Encoding')
    .type(asset.type);
  if (known === asset.etag) return void reply.code(304).send();
  const isGzip = /\bgzip\b/.test(accepted ?? '');
  if (isGzip) void reply.header('content-encoding', 'gzip');
  void reply.send(isGzip ? asset.gzipped : asset.bytes);
};
