import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A TCP proxy that simulates network failures: it drops a response after the server has done its work, breaks
 * connections, or stops forwarding.
 */
export interface BreakingProxy {
  /** The target's URL through the proxy. */
  readonly url: string;
  /** Number of connections broken so far. */
  readonly broken: number;
  /** Drops the next bytes from the server and breaks that connection. */
  breakOnNextAnswer(): void;
  /** Breaks every connection and rejects new ones until `mend`. */
  cut(): void;
  /** Accepts connections and drops all bytes in both directions until `mend`. */
  silence(): void;
  /** Breaks connections that have lost bytes: their two ends no longer agree. */
  mend(): void;
  close(): Promise<void>;
}

export const breakingProxy = async (target: string): Promise<BreakingProxy> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let armed = false;
  let isCut = false;
  let isSilent = false;
  /** Clients with dropped bytes. */
  const deaf = new Set<Socket>();
  let broken = 0;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        deaf.delete(client);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (isSilent) deaf.add(client);
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isSilent) {
        deaf.add(client);
        return;
      }
      if (!armed) {
        client.write(chunk);
        return;
      }
      armed = false;
      broken += 1;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    get broken() {
      return broken;
    },
    breakOnNextAnswer: () => {
      armed = true;
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    silence: () => {
      isSilent = true;
    },
    mend: () => {
      isCut = false;
      isSilent = false;
      for (const client of deaf) client.destroy();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};
