import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Listener {
  readonly port: number;
  /** TCP connections accepted so far, with or without a request. */
  readonly connections: () => number;
  readonly received: Received[];
  readonly close: () => Promise<void>;
}

/** A real HTTP server that counts connections and stores requests. `answer` writes the response (default: 204). */
export const listen = async (
  answer: RequestListener = (_, response) => response.writeHead(204).end(),
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Listener> => {
  let connections = 0;
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      answer(request, response);
    });
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
