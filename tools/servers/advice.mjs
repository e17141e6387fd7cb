/** What to install if a server is not available. */
const HOW = {
  postgres: {
    what: 'Postgres (its npm package has no binaries for this platform)',
    variable: 'DATABASE_URL',
    debian: 'sudo apt-get install postgresql',
    macos: 'brew install postgresql@18',
    site: 'https://www.postgresql.org/download/',
  },
  nats: {
    what: 'nats-server (with JetStream)',
    variable: 'NATS_URL',
    debian: 'sudo apt-get install nats-server',
    macos: 'brew install nats-server',
    site: 'https://github.com/nats-io/nats-server/releases',
  },
  redis: {
    what: 'redis-server or valkey-server',
    variable: 'QUEUE_URL',
    debian: 'sudo apt-get install redis-server',
    macos: 'brew install redis',
    site: 'https://valkey.io/download/',
  },
};

/**
 * One message that lists everything missing, instead of one item at a time.
 *
 * @param {ReadonlyArray<'postgres' | 'nats' | 'redis'>} missing
 */
export const adviceFor = (missing) => {
  const blocks = missing.map((name) => {
    const { what, variable, debian, macos, site } = HOW[name];
    return [
      `  ${what} was not found.`,
      `    Debian, Ubuntu   ${debian}`,
      `    macOS            ${macos}`,
      `    elsewhere        ${site}`,
      `    or point to one  ${variable}=… npm start`,
    ].join('\n');
  });
  const engine = '  Or start Docker: where an engine answers, the missing servers run as containers.';
  return ['Some servers are missing, and nothing here can provide them.', ...blocks, engine].join('\n\n');
};
