import { z } from 'zod';
import { text, uuid } from './common.js';

export const vendorAppBody = z.strictObject({
  /** Where agents of this app go that name no memory themselves. */
  memoryId: uuid,
  /** What the vendor's requests are signed with (ZEGOCLOUD's ServerSecret). It is never shown again. */
  secret: text(255, 6).nullable().default(null),
});

export const vendorAppView = z
  .object({
    vendor: z.string(),
    appId: z.string(),
    memoryId: z.uuid(),
    hasSecret: z.boolean(),
    createdAt: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'VendorApp' });
