import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { closeHttp, watchConnections } from './close-http.js';

const textOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
};

describe('closeHttp', () => {
  it('answers requests in flight and then closes their connections, keep-alive or not', async () => {
    const server = fastify();
    let answer = (_: string): void => undefined;
    const answered = new Promise<string>((resolve) => (answer = resolve));
    let taken = (): void => undefined;
    const underWay = new Promise<void>((resolve) => (taken = resolve));
    server.get('/slow', () => {
      taken();
      return answered;
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    const call = request({ agent, port, host: '127.0.0.1', path: '/slow' }).end();
    const responded = once(call, 'response') as Promise<[IncomingMessage]>;
    await underWay;

    const closing = closeHttp(server, () => server.close());
    while (server.server.listening) await new Promise(setImmediate);
    answer('done');
    const [response] = await responded;
    expect([response.statusCode, await textOf(response)]).toEqual([200, 'done']);
    await closing; // well before the keep-alive timeout of one minute
    agent.destroy();
  });

  it('closes connections on which nothing was requested', async () => {
    const server = fastify();
    watchConnections(server);
    await server.listen({ host: '127.0.0.1', port: 0 });
    const opened = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    const closed = once(opened, 'close');
    await once(server.server, 'connection');
    await closeHttp(server, () => server.close()); // well before the timeout for headers of one minute
    await closed;
  });
});
