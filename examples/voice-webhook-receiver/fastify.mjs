import { pathToFileURL } from 'node:url';
import fastify from 'fastify';
import { createReceiver } from './receive.mjs';

/** @param {Parameters<typeof createReceiver>[0]} options */
export const createApp = (options) => {
  const app = fastify({ bodyLimit: 2_097_152 });
  const receive = createReceiver(options);
  // The raw body: a parsed and reserialized one has another signature.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/', async (request, reply) => {
    const body = /** @type {Buffer} */ (request.body);
    return reply.code(await receive(request.headers, body)).send();
  });
  return app;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const onHistory = async ({ id, contents }) => console.log(id, contents);
  const { WEBHOOK_SECRET: secret, AGORA_SECRET: agoraSecret } = process.env;
  const app = createApp({ secret, agoraSecret, onHistory });
  console.log(
    'Waiting for webhooks on',
    await app.listen({ port: Number(process.env.PORT ?? 9999), host: '127.0.0.1' }),
  );
}
