import { route } from '@turnkeeper/contracts';
import { z } from 'zod';
import { callbackOf } from '../management/connector-base.js';

/** The route to which a business's own server forwards a platform's events. */
export const forwardedRoute = <const Path extends string, const Id extends string>(
  path: Path,
  id: Id,
  summary: string,
  refusals: readonly string[] = [],
) =>
  route({
    ...callbackOf(path),
    id,
    summary,
    headers: { Authorization: z.string().optional().describe('`Bearer` and the connector’s secret.') },
    refusals: ['connector.not_found', 'connector.signature_invalid', ...refusals],
  });
