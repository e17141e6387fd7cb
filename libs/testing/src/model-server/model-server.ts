import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Mode, tolerableModes } from './modes.js';
import { Reply } from './reply.js';
import { type ModelRequest, readRequest } from './request.js';

/** A chat endpoint on 127.0.0.1 that behaves as told. */
export interface ModelServer {
  /** Base URL as `LLM_BASE_URL` takes it. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** From now on the n-th request gets the n-th mode, and all further ones the last. At first: honest. */
  behave(...modes: readonly [Mode, ...Mode[]]): void;
  /** Ends the server and every connection to it. */
  close(): Promise<void>;
}

export const startModelServer = async (): Promise<ModelServer> => {
  const requests: ModelRequest[] = [];
  let script: readonly Mode[] = [tolerableModes.honest];

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(incoming);
    const request = readRequest(incoming.url ?? '', incoming.headers.authorization ?? null, body);
    requests.push(request);
    const [mode = tolerableModes.honest, ...rest] = script;
    if (rest.length > 0) script = rest;
    await mode(request, new Reply(response));
  };
  const server = createServer((incoming, response) => {
    // Said aloud: a connection that is closed instead looks like a model that is away.
    handle(incoming, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(`The stub failed: ${String(error)}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    behave: (...modes) => {
      script = modes;
    },
    close: () => closed(server),
  };
};

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const closed = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
