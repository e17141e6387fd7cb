import type { UserData } from '@turnkeeper/contracts';
import type { Reach } from '@turnkeeper/domain';
import { RUNTIME_HEADERS } from '@turnkeeper/vendors';
import type { IncomingHttpHeaders } from 'node:http';
import { RuntimeHeadersMissing, RuntimeNotForEveryone, RuntimeUserDiffers } from './auth-errors.js';
import { beyondReach, type Owners } from './beyond-reach.js';
import type { RequestTarget } from './request-target.js';

/** As Node spells the names of headers. */
const USER = RUNTIME_HEADERS.user.toLowerCase();
const SESSION = RUNTIME_HEADERS.session.toLowerCase();

/** The user on whose behalf the runtime sends a request. */
export interface Speaker {
  readonly user: string;
  readonly session: string;
}

/** Data for which the runtime must say whose it is. */
const OF_NO_USER: ReadonlySet<UserData> = new Set(['tenant', 'none', 'settings', 'operator']);

/**
 * Restricts a request with the runtime's headers to their user. Both headers are required, and everything the request
 * reaches must belong to that user. An actor or session that the route declares must match the headers. The headers never
 * fill in missing values. A memory's settings are its operator's, so no user changes them.
 */
export class RuntimeHeaders {
  /** @param required reject requests for user data without the headers */
  constructor(
    private readonly owners: Owners,
    private readonly required: boolean,
  ) {}

  /** Whether the headers of this request must be checked. */
  applyTo(headers: IncomingHttpHeaders): boolean {
    return this.required || headers[USER] !== undefined || headers[SESSION] !== undefined;
  }

  /**
   * The user of the headers; null without them. Throws `RuntimeHeadersMissing` if one is missing.
   *
   * @param isOperator the caller has the scope admin, which need not send them
   */
  speakerOf(headers: IncomingHttpHeaders, kind: UserData, isOperator = false): Speaker | null {
    const user = headers[USER];
    const session = headers[SESSION];
    const isSilent = user === undefined && session === undefined;
    if (isSilent && (!this.required || isOperator || OF_NO_USER.has(kind))) return null;
    if (typeof user !== 'string' || user === '') throw new RuntimeHeadersMissing(RUNTIME_HEADERS.user);
    if (typeof session !== 'string' || session === '') throw new RuntimeHeadersMissing(RUNTIME_HEADERS.session);
    return { user: asSent(user), session: asSent(session) };
  }

  /** Rejects with `RuntimeUserDiffers` or `RuntimeNotForEveryone`. `reach`: that of the speaker. */
  async check(target: RequestTarget, reach: Reach): Promise<void> {
    const beyond = await beyondReach(target, reach, this.owners);
    if (beyond === 'everyone') throw new RuntimeNotForEveryone();
    if (beyond !== null) throw new RuntimeUserDiffers(beyond);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Node reads headers as Latin-1; decodes those that were sent as UTF-8. */
export const asSent = (header: string): string => {
  try {
    return UTF8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
};
