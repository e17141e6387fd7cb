import { ConnectorNotFound, ConnectorSignatureStale, NoticeUnreadable, validSecrets } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { Ids } from '../shared/clock.port.js';
import type { ConnectorVendors, ReadNotice, VendorRequest } from './connector-vendor.js';

/** How many notices of a request are new, and how many were stored before. */
export interface Received {
  readonly stored: number;
  readonly duplicates: number;
}

/**
 * Stores the notices of a vendor's request with a valid signature. They are durable when this resolves, and are folded
 * into their session soon after.
 */
export class ReceiveNotice {
  constructor(
    private readonly deps: Pick<Ports, 'connectors' | 'notices' | 'ids' | 'clock'> & {
      readonly vendors: ConnectorVendors;
    },
  ) {}

  /** Rejects with `ConnectorNotFound`, `ConnectorSignatureInvalid` or `ConnectorSignatureStale`. */
  async execute(vendorName: string, connectorId: string, request: VendorRequest): Promise<Received> {
    const { vendors, connectors, notices, ids, clock } = this.deps;
    const vendor = vendors.get(vendorName);
    const connector = vendor === undefined ? null : await connectors.findByPath(vendorName, connectorId);
    if (vendor === undefined || connector === null) throw new ConnectorNotFound();
    const now = clock.now();
    const secrets = validSecrets(connector.secrets, now).map(({ secret }) => secret);
    const read = vendor.read(vendor.verify(request, { secrets, now }), { connector, ids });
    const { tenantId } = connector;
    let stored = 0;
    for (const notice of read) {
      const result = await notices.receive({ ...notice, connectorId: connector.connectorId, tenantId });
      // The signature was used for another message before.
      if (result === 'stamp_used') throw new ConnectorSignatureStale();
      if (result === 'stored') stored += 1;
    }
    return { stored, duplicates: read.length - stored };
  }
}

/**
 * A message with a valid signature that is not in the vendor's documented form. It is kept for the operator to look at.
 *
 * @param identity equal in repeats of the message
 */
export const unreadableNotice = (
  ids: Ids,
  notice: { readonly eventType: string; readonly identity: string } & Pick<ReadNotice, 'body' | 'stamp'>,
): ReadNotice => {
  const { eventType, identity, body, stamp } = notice;
  const { code } = new NoticeUnreadable();
  const noticeKey = ids.derive('unreadable notice', identity);
  return { noticeKey, eventType, callKey: null, status: 'parked', code, place: null, body, stamp };
};
