import { lookup, Resolver } from 'node:dns/promises';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name to all of its addresses. Called once per connection. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolverOptions {
  /** Name servers (`address:port`) to use instead of the system's. */
  readonly servers?: readonly string[];
  /**
   * Falls back to the system resolver (hosts file) if no server knows a name. For private networks. Default: false.
   */
  readonly systemFallback?: boolean;
}

/**
 * Queries name servers without Node's `lookup`, which runs in a pool of four threads: four names whose server never
 * answers would block all others. Here an unresponsive server delays only its own webhooks: 2 s, then 4 s.
 */
export const createResolver = ({ servers, systemFallback = false }: ResolverOptions = {}): Resolve => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);

  return async (hostname) => {
    // RFC 6761: these names mean this machine and must not be sent to a server.
    if (/(^|\.)localhost\.?$/.test(hostname)) return [ipv4('127.0.0.1'), ipv6('::1')];
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map(ipv4) : []),
      ...(six.status === 'fulfilled' ? six.value.map(ipv6) : []),
    ];
    if (found.length > 0) return found;
    if (systemFallback) {
      return (await lookup(hostname, { all: true })).map(({ address, family }) =>
        family === 6 ? ipv6(address) : ipv4(address),
      );
    }
    throw four.status === 'rejected' ? four.reason : new Error('no address');
  };
};

const ipv4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const ipv6 = (address: string): ResolvedAddress => ({ address, family: 6 });
