import { createServer } from 'node:http';

/**
 * Receives Turnkeeper's webhooks and checks their signatures, as a customer's own endpoint would
 * (https://www.standardwebhooks.com).
 *
 * @typedef {{ id: string, verified: boolean, reason?: string, body: any, headers: Record<string, string> }} Delivery
 *
 * @param {{ port?: number, host?: string, secret?: () => string | undefined, onDelivery: (delivery: Delivery) => void }} options
 *   Port 0 takes a free one. The secret is asked for at each delivery, because it is known only after the endpoint's URL
 *   has been registered.
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export const startReceiver = async ({ port = 0, host = '127.0.0.1', secret = () => undefined, onDelivery }) => {
  const { Webhook } = await import('standardwebhooks');
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const delivery = examine(Webhook, Buffer.concat(chunks).toString('utf8'), request.headers, secret());
      onDelivery(delivery);
      response.writeHead(delivery.verified ? 204 : 401).end();
    });
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address();
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://${host}:${address.port}/`, close };
};

const examine = (Webhook, text, headers, secret) => {
  const delivery = { id: headers['webhook-id'] ?? '', headers, body: text };
  if (!secret) return { ...delivery, verified: false, reason: 'no secret to check it with' };
  try {
    return { ...delivery, verified: true, body: new Webhook(secret).verify(text, headers) };
  } catch (error) {
    return { ...delivery, verified: false, reason: error.message };
  }
};
