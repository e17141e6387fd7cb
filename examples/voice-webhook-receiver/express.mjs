import { pathToFileURL } from 'node:url';
import express from 'express';
import { createReceiver } from './receive.mjs';

/** @param {Parameters<typeof createReceiver>[0]} options */
export const createApp = (options) => {
  const app = express();
  const receive = createReceiver(options);
  // The raw body: a parsed and reserialized one has another signature.
  const rawBody = express.raw({ type: () => true, limit: '2mb' });
  app.post('/', rawBody, async (request, response) => {
    response.status(await receive(request.headers, request.body)).end();
  });
  return app;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const onHistory = async ({ id, contents }) => console.log(id, contents);
  const { WEBHOOK_SECRET: secret, AGORA_SECRET: agoraSecret } = process.env;
  const app = createApp({ secret, agoraSecret, onHistory });
  app.listen(Number(process.env.PORT ?? 9999), '127.0.0.1', () => console.log('Waiting for webhooks'));
}
