import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Mode, tolerableModes } from './modes.js';
import { Reply } from './reply.js';
import { type ModelRequest, readRequest } from './request.js';

/** A chat endpoint on 127.0.0.1 with scripted behaviour. */
export interface ModelServer {
  /** Base URL in the format of `LLM_BASE_URL`. */
  readonly url: string;
  /** All requests so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** From now on, the n-th request gets the n-th mode, and all further ones the last. Default: honest. */
  behave(...modes: readonly [Mode, ...Mode[]]): void;
  /** Stops the server and closes all its connections. */
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
    // Respond with an error: closing the connection would look like a model that is down.
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
