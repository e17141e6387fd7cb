import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { SecretUnreadable, type SecretCipher, type SecretPlace } from './secret-cipher.js';

export interface EnvelopeKeys {
  /** 32-byte keys, newest first. The first one encrypts; all of them decrypt. */
  readonly keys: readonly Uint8Array[];
  /** False: new values are stored as plain text. Encrypted values can still be decrypted. */
  readonly sealing: boolean;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** `enc:v1:<key id>:<nonce>:<ciphertext and tag>`, the last two in base64url. */
const SEALED = 'enc:v1:';
/** Prefix for plain text that would otherwise be mistaken for one of the two forms. Tenants choose some secrets. */
const ESCAPED = 'plain:v1:';

export const isSealed = (stored: string): boolean => stored.startsWith(SEALED);

/** Identifies a key without revealing anything about it. */
const keyIdOf = (key: Uint8Array): string =>
  createHash('sha256').update('turnkeeper secrets key\n').update(key).digest('hex').slice(0, 16);

const associatedData = ({ table, rowId, column }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify([table, rowId, column]));

/** AES-256-GCM with keys held by the process. */
export class EnvelopeCipher implements SecretCipher {
  /** By key id, newest first. */
  private readonly keys: ReadonlyMap<string, Uint8Array>;
  private readonly newest: readonly [id: string, key: Uint8Array] | null;

  constructor({ keys, sealing }: EnvelopeKeys) {
    if (keys.some((key) => key.length !== KEY_BYTES)) throw new Error(`A secrets key must have ${KEY_BYTES} bytes.`);
    this.keys = new Map(keys.map((key) => [keyIdOf(key), key]));
    const [first] = this.keys;
    if (sealing && first === undefined) throw new Error('Sealing secrets needs a key.');
    this.newest = sealing && first !== undefined ? first : null;
  }

  async seal(plain: string, place: SecretPlace): Promise<string> {
    if (this.newest === null) return isSealed(plain) || plain.startsWith(ESCAPED) ? `${ESCAPED}${plain}` : plain;
    const [id, key] = this.newest;
    // Random 96-bit nonces are safe for 2^32 values per key.
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(associatedData(place));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${SEALED}${id}:${nonce.toString('base64url')}:${sealed.toString('base64url')}`;
  }

  async open(stored: string, place: SecretPlace): Promise<string> {
    if (stored.startsWith(ESCAPED)) return stored.slice(ESCAPED.length);
    if (!isSealed(stored)) return stored;
    const [id = '', nonce = '', sealed = ''] = stored.slice(SEALED.length).split(':');
    const key = this.keys.get(id);
    if (key === undefined) {
      throw new SecretUnreadable(
        place,
        `no configured key has the id ${JSON.stringify(id.slice(0, 16))}. Add the key that it was sealed with to SECRETS_OLD_KEYS.`,
      );
    }
    const bytes = Buffer.from(sealed, 'base64url');
    try {
      const decipher = createDecipheriv(ALGORITHM, key, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES })
        .setAAD(associatedData(place))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      throw new SecretUnreadable(place, 'the stored value was changed, or belongs to another row.');
    }
  }

  isCurrent(stored: string): boolean {
    if (this.newest === null) return !isSealed(stored);
    return stored.startsWith(`${SEALED}${this.newest[0]}:`);
  }
}

/** For code that never writes secrets: reads plain text only. */
export const plainTextOnly: SecretCipher = new EnvelopeCipher({ keys: [], sealing: false });
