import { text, uuid } from '@turnkeeper/contracts';
import { z } from 'zod';

export const vendorAppBody = z.strictObject({
  /** Default memory of this app's agents, if a request names none. */
  memoryId: uuid,
  /** Secret that signs the vendor's requests (ZEGOCLOUD's ServerSecret). Write-only. */
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
