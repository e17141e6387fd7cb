import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One webhook as received: the signature covers the raw bytes. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
}

/** A customer's endpoint on loopback; every path is one endpoint. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Clears the webhooks received so far. */
  forget(): void;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** @param answer returns the status for each webhook, or the whole answer, possibly after a delay. Default 204 */
export const startReceiver = async (
  answer: (received: Received, count: number) => number | Answer | Promise<number> = () => 204,
): Promise<Receiver> => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const webhook = { headers: request.headers, raw: Buffer.concat(chunks) };
      const count = received.push(webhook);
      void Promise.resolve(answer(webhook, count)).then((made) => {
        const { status, body } = typeof made === 'number' ? { status: made, body: undefined } : made;
        response.writeHead(status).end(body);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    forget: () => {
      received.length = 0;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** A header that occurs once. */
export const header = ({ headers }: Received, name: string): string => {
  const value = headers[name];
  if (typeof value !== 'string') throw new Error(`The webhook has no header ${name}.`);
  return value;
};

export const jsonOf = <T>({ raw }: Received): T => JSON.parse(raw.toString('utf8')) as T;
