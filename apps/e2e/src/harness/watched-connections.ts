import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Processes that record every connection they open, and resolve names under `.dns.example`. */
export interface WatchedConnections {
  /** Settings for the processes to watch. */
  readonly settings: Readonly<Record<string, string>>;
  /** Addresses to which any of them has opened a connection on the port. */
  to(port: number): Promise<readonly string[]>;
  forget(): Promise<void>;
}

export const watchConnections = async (): Promise<WatchedConnections> => {
  const folder = await mkdtemp(join(tmpdir(), 'turnkeeper-connections-'));
  const report = join(folder, 'connections');
  const preload = pathToFileURL(join(import.meta.dirname, 'watch-connections.mjs')).href;
  return {
    settings: { NODE_OPTIONS: `--import ${preload}`, CONNECTIONS_REPORT: report },
    to: async (port) =>
      (await readFile(report, 'utf8')).split('\n').flatMap((line) => {
        const [address = '', to] = line.split(' ');
        return to === String(port) ? [address] : [];
      }),
    forget: () => rm(folder, { recursive: true }),
  };
};

/** A name with only this address. `a,b` gives it both; `a;b` gives it a, then b from the second query on. */
export const nameOf = (addresses: string, label = ''): string =>
  `a${Buffer.from(addresses).toString('hex')}.${label === '' ? '' : `${label}.`}dns.example`;

/** A server that counts connections, whether or not a request arrives on them. */
export interface Trap {
  readonly port: number;
  connections(): number;
  close(): Promise<void>;
}

export const startTrap = async (
  host: string,
  {
    port = 0,
    answer = (_, response) => response.writeHead(204, { connection: 'close' }).end(),
  }: {
    readonly port?: number;
    readonly answer?: RequestListener;
  } = {},
): Promise<Trap> => {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  });
  server.on('connection', () => (connections += 1));
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
