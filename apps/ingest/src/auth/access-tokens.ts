import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** As long as the tokens of AgentBase's IAM. */
export const TOKEN_SECONDS = 7_200;

/** `tkt_<key id>_<expiry, seconds since 1970>_<HMAC-SHA256 of both>`. */
const TOKEN = /^tkt_([0-9a-f]{16})_(\d{1,12})_([0-9a-f]{64})$/;

/**
 * Short-lived bearer tokens of API keys. A token is not stored and holds no rights: it names a key, whose scopes,
 * revocation and expiry apply.
 */
export class AccessTokens {
  /** @param secret a key of the installation; the tokens' own key is derived from it */
  constructor(private readonly secret: () => Promise<string>) {}

  async issue(keyId: string, now: Date): Promise<string> {
    const expiry = String(Math.floor(now.getTime() / 1_000) + TOKEN_SECONDS);
    return `tkt_${keyId}_${expiry}_${(await this.mac(keyId, expiry)).toString('hex')}`;
  }

  /** Null if it is not one of our tokens, or has expired. */
  async read(token: string, now: Date): Promise<{ readonly keyId: string; readonly expiresAtMs: number } | null> {
    const [, keyId = '', expiry = '', mac = ''] = TOKEN.exec(token) ?? [];
    const expiresAtMs = Number(expiry) * 1_000;
    if (keyId === '' || expiresAtMs <= now.getTime()) return null;
    const isOurs = timingSafeEqual(Buffer.from(mac, 'hex'), await this.mac(keyId, expiry));
    return isOurs ? { keyId, expiresAtMs } : null;
  }

  private async mac(keyId: string, expiry: string): Promise<Buffer> {
    const key = hkdfSync('sha256', await this.secret(), '', 'turnkeeper access tokens', 32);
    return createHmac('sha256', Buffer.from(key)).update(`${keyId}_${expiry}`).digest();
  }
}
