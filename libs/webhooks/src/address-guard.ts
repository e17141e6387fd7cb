import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses beyond the public internet that webhooks may be sent to. */
export interface AddressPolicy {
  /**
   * Allows private networks and this machine: RFC 1918, carrier-grade NAT, unique local, loopback. Link-local and cloud
   * metadata addresses stay blocked. Default: false.
   */
  readonly allowPrivate?: boolean;
  /** Address ranges that are always allowed, e.g. `10.20.0.0/16` or `fd12::/48`. Default: none. */
  readonly allowCidrs?: readonly string[];
}

export interface AddressGuard {
  /** True if the policy allows only the public internet. */
  readonly publicOnly: boolean;
  /** Returns a short reason why the address is blocked, or null if it is allowed. */
  refusalOf(address: string): string | null;
}

type Address = ReturnType<typeof ipaddr.parse>;
type Range = [Address, number];

/**
 * Cloud metadata addresses outside of link-local: Azure (a public address answered by the host), Alibaba, and AWS and
 * Google over IPv6. Only allowed by an explicit range.
 */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

/** Ranges allowed by `allowPrivate`. */
const PRIVATE_RANGES = new Set(['private', 'carrierGradeNat', 'uniqueLocal', 'loopback']);

/** Global unicast (RFC 4291, 2.4). All other IPv6 is unassigned, local, or embeds another address. */
const GLOBAL_UNICAST = '2000::/3';

const rangeOf = (cidr: string): Range => {
  try {
    return ipaddr.parseCIDR(cidr);
  } catch {
    throw new RangeError(`Not an address range: ${JSON.stringify(cidr)}. Give for instance 10.20.0.0/16.`);
  }
};

const matches = (address: Address, [base, bits]: Range): boolean =>
  address.kind() === base.kind() && address.match(base, bits);

/**
 * Checks addresses, never names: a name has no meaning until it is resolved, and may resolve differently a moment
 * later. Called for every address before a connection.
 *
 * @throws RangeError if a range of the policy is invalid
 */
export const createAddressGuard = (policy: AddressPolicy = {}): AddressGuard => {
  const allowed = (policy.allowCidrs ?? []).map(rangeOf);
  const globalUnicast = rangeOf(GLOBAL_UNICAST);

  return {
    publicOnly: policy.allowPrivate !== true && allowed.length === 0,
    refusalOf(text) {
      // A scope (fe80::1%eth0) names a local interface, and Node would resolve anything that it cannot parse as an
      // address.
      if (isIP(text) === 0 || text.includes('%')) return 'not an address';
      const address = ipaddr.parse(text);
      if (allowed.some((range) => matches(address, range))) return null;
      if (METADATA.has(address.toString())) return 'metadata';
      const kind: string = address.range();
      if (policy.allowPrivate === true && PRIVATE_RANGES.has(kind)) return null;
      // In words, because a client reads it: `linkLocal` is `link-local`.
      if (kind !== 'unicast') return kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      if (address.kind() === 'ipv4') return null;
      if (!matches(address, globalUnicast)) return 'not global unicast';
      return isIsatap(address) ? 'isatap' : null;
    },
  };
};

/** An interface id of `0:5efe:a.b.c.d` (RFC 5214) tunnels to the embedded IPv4 address, which may be private. */
const isIsatap = (address: Address): boolean => {
  const bytes = address.toByteArray();
  return (bytes[8] === 0x00 || bytes[8] === 0x02) && bytes[9] === 0x00 && bytes[10] === 0x5e && bytes[11] === 0xfe;
};
