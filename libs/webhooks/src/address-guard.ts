import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where webhooks may go beyond the public internet. */
export interface AddressPolicy {
  /**
   * Also private networks and this machine: RFC 1918, carrier-grade NAT, unique local, loopback. Link-local addresses
   * and those of cloud metadata stay closed. Default false.
   */
  readonly allowPrivate?: boolean;
  /** Address ranges that are open whatever they are, e.g. `10.20.0.0/16` or `fd12::/48`. Default none. */
  readonly allowCidrs?: readonly string[];
}

export interface AddressGuard {
  /** True when the policy opens nothing beyond the public internet. */
  readonly publicOnly: boolean;
  /** Why no connection may be made to this address (a short word for people), or null when it may. */
  refusalOf(address: string): string | null;
}

type Address = ReturnType<typeof ipaddr.parse>;
type Range = [Address, number];

/**
 * Where clouds answer with credentials, outside of link-local: Azure (a public address, answered inside the host),
 * Alibaba, AWS and Google over IPv6. Only a range that names them opens them.
 */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

/** What `allowPrivate` opens. */
const PRIVATE_RANGES = new Set(['private', 'carrierGradeNat', 'uniqueLocal', 'loopback']);

/** Global unicast (RFC 4291, 2.4). Everything else in IPv6 is unassigned, local, or wraps another address. */
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
 * Decides on addresses, never on names: a name means nothing until it is resolved, and may mean something else a
 * moment later. Asked for every address that is about to be connected to.
 *
 * @throws RangeError when a range of the policy cannot be read
 */
export const createAddressGuard = (policy: AddressPolicy = {}): AddressGuard => {
  const allowed = (policy.allowCidrs ?? []).map(rangeOf);
  const globalUnicast = rangeOf(GLOBAL_UNICAST);

  return {
    publicOnly: policy.allowPrivate !== true && allowed.length === 0,
    refusalOf(text) {
      // A scope (fe80::1%eth0) names an interface of this machine; and what Node cannot read, it would look up.
      if (isIP(text) === 0 || text.includes('%')) return 'not an address';
      const address = ipaddr.parse(text);
      if (allowed.some((range) => matches(address, range))) return null;
      if (METADATA.has(address.toString())) return 'metadata';
      const kind: string = address.range();
      if (policy.allowPrivate === true && PRIVATE_RANGES.has(kind)) return null;
      if (kind !== 'unicast') return kind;
      if (address.kind() === 'ipv4') return null;
      if (!matches(address, globalUnicast)) return 'not global unicast';
      return isIsatap(address) ? 'isatap' : null;
    },
  };
};

/** An interface id of `0:5efe:a.b.c.d` (RFC 5214) tunnels to the IPv4 address inside, which may be a private one. */
const isIsatap = (address: Address): boolean => {
  const bytes = address.toByteArray();
  return (bytes[8] === 0x00 || bytes[8] === 0x02) && bytes[9] === 0x00 && bytes[10] === 0x5e && bytes[11] === 0xfe;
};
