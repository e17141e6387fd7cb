import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listens, until } from '../shared/wait.mjs';
import { program } from './programs.mjs';

const DEFAULTS = `global
  maxconn 4000
defaults
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
  retries 0
`;

/** `name:port` of each backend, with the port that is checked where it is another one. */
const servers = (list, options) =>
  list
    .map(
      ({ name, port, check }) => `  server ${name} 127.0.0.1:${port} check${check ? ` port ${check}` : ''} ${options}`,
    )
    .join('\n');

/** Ingest: requests go to processes whose \`/readyz\` answers 200; none is repeated. */
export const ingestSection = (port, list) => `
listen ingest
  mode http
  bind 127.0.0.1:${port}
  option httpchk GET /readyz
  http-check expect status 200
${servers(list, 'inter 2s fall 2 rise 1')}
`;

/** Postgres: connections go to the primary, which Patroni's REST interface names, and end when it changes. */
export const postgresSection = (port, list) => `
listen postgres
  mode tcp
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
${servers(list, 'inter 1s fall 2 rise 1 on-marked-down shutdown-sessions')}
`;

/** Redis or Valkey: connections go to the server that says it is the master. */
export const redisSection = (port, password, list) => `
listen redis
  mode tcp
  bind 127.0.0.1:${port}
  option tcp-check
  tcp-check send "AUTH ${password}\\r\\n"
  tcp-check expect string +OK
  tcp-check send "info replication\\r\\n"
  tcp-check expect string role:master
${servers(list, 'inter 1s fall 2 rise 1 on-marked-down shutdown-sessions')}
`;

/**
 * Starts haproxy with these sections.
 *
 * @param {import('./site.mjs').Site} site
 * @param {readonly string[]} sections
 * @param {number} port one of those it listens on
 */
export const startHaproxy = async (site, sections, port) => {
  const file = join(site.system.folder, 'haproxy.cfg');
  writeFileSync(file, [DEFAULTS, ...sections].join(''), { mode: 0o600 });
  return site.launch({
    name: 'haproxy',
    command: await program('haproxy'),
    args: ['-db', '-f', file],
    ready: () => listens(port),
  });
};

/** More than the servers of a section, which haproxy asks in turn. */
const ROUND = 10;

/**
 * Resolves once haproxy forwards requests to ready ingests only. Before its first checks it takes every server for
 * ready, also one that has not started.
 *
 * @param {string} url of haproxy
 */
export const forwardsToIngests = (url) =>
  until('haproxy knows the ready ingests', async () => {
    for (let asked = 0; asked < ROUND; asked += 1) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      if (answer?.ok !== true) return false;
    }
    return true;
  });
