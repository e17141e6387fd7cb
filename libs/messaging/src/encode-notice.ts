import type { EventNotice } from '@turnkeeper/application';

/** Version of the wire format. A change that subscribers would misread gets a new one. */
const NOTICE_VERSION = 1;

export const encodeNotice = ({ tenantId, memoryId, events }: EventNotice): string =>
  JSON.stringify({ v: NOTICE_VERSION, tenantId, memoryId, events });
