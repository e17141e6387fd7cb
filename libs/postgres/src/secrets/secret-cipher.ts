/**
 * Storage location of a secret. A sealed value can be opened only in its own location, so values cannot be swapped
 * between rows.
 */
export interface SecretPlace {
  readonly table: string;
  readonly rowId: string;
  readonly column: string;
}

/**
 * Encrypts secrets at rest. Asynchronous, so that an adapter may call a key management service. Values stored before
 * encryption was enabled are opened as plain text.
 */
export interface SecretCipher {
  /** The value to store: encrypted with the newest key, or plain text if encryption is disabled. */
  seal(plain: string, place: SecretPlace): Promise<string>;
  /** Rejects with `SecretUnreadable`. */
  open(stored: string, place: SecretPlace): Promise<string>;
  /** False if `seal` would now store another form: the value is plain text or encrypted with an older key. */
  isCurrent(stored: string): boolean;
}

/** A stored secret cannot be decrypted. The message names the setting to check, never a value. */
export class SecretUnreadable extends Error {
  readonly code = 'secrets.unreadable';
  constructor({ table, rowId, column }: SecretPlace, why: string) {
    super(`A secret cannot be opened (${table}.${column}, ${rowId}): ${why}`);
    this.name = 'SecretUnreadable';
  }
}
