import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.js';
import type { Resolve } from './resolver.js';

/** The resolved address is not allowed; no connection was made. */
export class BlockedAddress extends Error {
  readonly code = 'WEBHOOK_BLOCKED_ADDRESS';
  constructor(readonly refusal: string) {
    super(`the address is refused: ${refusal}`);
    this.name = 'BlockedAddress';
  }
}

/** A name could not be resolved; `code` is the resolver's. */
export class NameNotResolved extends Error {
  readonly code: string;
  constructor(cause: unknown) {
    super('the name does not resolve', { cause });
    this.name = 'NameNotResolved';
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'ENODATA';
  }
}

export interface GuardedConnectorOptions {
  readonly guard: AddressGuard;
  readonly resolve: Resolve;
  /** Timeout for a connection, including the TLS handshake. */
  readonly timeoutMs: number;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | undefined;
}

/**
 * Opens connections for undici, only to addresses that the guard allows. The name is resolved here once per connection,
 * and the socket uses exactly the checked addresses, so DNS rebinding between check and connect has no effect. One
 * blocked address among the results blocks the connection.
 */
export const guardedConnector = (options: GuardedConnectorOptions): buildConnector.connector => {
  const { guard, resolve } = options;

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolveChecked(hostname).then(
      (addresses) => {
        if (all === true) callback(null, [...addresses]);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };

  const resolveChecked = async (hostname: string) => {
    const addresses = await resolve(hostname).catch((cause: unknown) => {
      throw new NameNotResolved(cause);
    });
    if (addresses.length === 0) throw new NameNotResolved(null);
    for (const { address } of addresses) {
      const refusal = guard.refusalOf(address);
      if (refusal !== null) throw new BlockedAddress(refusal);
    }
    return addresses;
  };

  const connect = buildConnector({
    lookup,
    timeout: options.timeoutMs,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  } as buildConnector.BuildOptions);

  return (target, callback) => {
    // Node resolves nothing for a literal address, so the check in `lookup` would be skipped.
    const refusal = isIP(target.hostname) === 0 ? null : guard.refusalOf(target.hostname);
    if (refusal === null) connect(target, callback);
    else queueMicrotask(() => callback(new BlockedAddress(refusal), null));
  };
};
