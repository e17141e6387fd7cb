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
