import { z } from 'zod';
import { listLimit } from '../http/common.js';
import { listOf } from '../http/paging.js';
import { routesOf } from './route.js';

const route = routesOf('Audit');
const auditEntryView = z
  .object({
    entry: z.int().describe('Increases with every entry of the installation, so it has gaps for one tenant.'),
    at: z.iso.datetime({ offset: true }),
    tenantId: z.uuid(),
    keyId: z
      .string()
      .describe("The API key's id, the token's subject, or `cli:` and the operating system's user name."),
    address: z.string().describe('Network address of the caller; empty for the command line.'),
    action: z.string().describe('Name of the operation, as in this document.'),
    resource: z
      .string()
      .describe(
        'Method and path, or the command. Ids of actors and sessions are replaced by `~` and 16 digits of their SHA-256.',
      ),
    status: z.int(),
    requestId: z.uuid(),
  })
  .meta({ id: 'AuditEntry' });

export const listAuditLog = route('listAuditLog', 'GET', '/v1/audit-log', {
  summary:
    "List the tenant's audit log: changes and exports, oldest first. Appended messages are in the event log itself.",
  scope: 'audit:read',
  query: z.strictObject({
    limit: listLimit(1_000),
    after: z.coerce.number().int().min(0).default(0).describe('`next` of the previous page.'),
  }),
  response: listOf(auditEntryView),
});
