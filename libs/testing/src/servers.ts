/** Disposable servers for integration tests. A missing one fails the tests instead of skipping them. */
const urlOf = (name: string): string => {
  const url = process.env[name];
  if (url === undefined || url === '') {
    throw new Error(`${name} is not set: run the integration tests through \`npm test\`, which provides the servers.`);
  }
  return url;
};

export const testServers = {
  /** Admin URL. Each spec file creates its own database there. */
  database: (): string => urlOf('TEST_DATABASE_URL'),
  nats: (): string => urlOf('TEST_NATS_URL'),
  redis: (): string => urlOf('TEST_REDIS_URL'),
};

/** Options for the NATS client, which does not accept a URL with credentials. */
export const natsLogin = (url: string): { servers: string; user?: string; pass?: string } => {
  const { host, username, password } = new URL(url);
  const login = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return { servers: host, ...(username === '' ? {} : login) };
};
