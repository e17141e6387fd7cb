/** The throwaway servers that integration tests talk to. A missing one is a failure, never a skipped test. */
const urlOf = (name: string): string => {
  const url = process.env[name];
  if (url === undefined || url === '') {
    throw new Error(`${name} is not set: run the integration tests through \`npm test\`, which provides the servers.`);
  }
  return url;
};

export const testServers = {
  /** Admin URL: each spec file makes its own database there. */
  database: (): string => urlOf('TEST_DATABASE_URL'),
  nats: (): string => urlOf('TEST_NATS_URL'),
  redis: (): string => urlOf('TEST_REDIS_URL'),
};

/** What the NATS client takes instead of a URL with a login. */
export const natsLogin = (url: string): { servers: string; user?: string; pass?: string } => {
  const { host, username, password } = new URL(url);
  const login = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return { servers: host, ...(username === '' ? {} : login) };
};
