import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/**
 * Below the ephemeral port range (Linux from 32768, macOS and Windows from 49152): an outgoing connection could take a
 * server's port while the server is down.
 */
const LOWEST = 20_000;
const HIGHEST = 30_000;
const TRIES = 200;

/**
 * Assigns every name a free loopback port: its previous or wished one if free, otherwise another one.
 *
 * All ports are held open until the last is chosen, so that no two names get the same one.
 *
 * @param {readonly string[]} names
 * @param {Readonly<Record<string, number>>} wished ports by name
 * @returns {Promise<Record<string, number>>}
 */
export const choosePorts = async (names, wished = {}) => {
  const held = [];
  try {
    for (const name of names) held.push((wished[name] && (await hold(wished[name]))) || (await holdAny()));
    return Object.fromEntries(names.map((name, index) => [name, portOf(held[index])]));
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
};

/** The port of a listening server. @param {import('node:net').Server} server */
export const portOf = (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port;

const holdAny = async () => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const server = await hold(randomInt(LOWEST, HIGHEST));
    if (server) return server;
  }
  return hold(0);
};

/** A server listening on the port, or null if it is taken. */
const hold = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: HOST, exclusive: true }, () => resolve(server));
  });
