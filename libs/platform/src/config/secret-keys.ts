import { readFileSync } from 'node:fs';
import { InvalidSettings, readSettings, type SettingsOf } from './define-settings.js';
import { settingsTable } from './settings.js';

const { SECRETS_KEY, SECRETS_KEY_FILE, SECRETS_OLD_KEYS, SECRETS_AT_REST } = settingsTable;
/** Settings of stored secrets only, for commands that need no others. */
const secretSettingsTable = { SECRETS_KEY, SECRETS_KEY_FILE, SECRETS_OLD_KEYS, SECRETS_AT_REST };

export interface SecretKeys {
  /** 32 bytes each, newest first. Empty only if `sealing` is false. */
  readonly keys: readonly Uint8Array[];
  /** Whether new values are encrypted (with the first key). */
  readonly sealing: boolean;
}

/** @throws InvalidSettings if a key is missing or malformed; names the setting, never the value */
export const secretKeysOf = (settings: SettingsOf<typeof secretSettingsTable>): SecretKeys => {
  const older = (settings.SECRETS_OLD_KEYS ?? '').split(',');
  const newest = settings.SECRETS_KEY === undefined ? keysInFile(settings.SECRETS_KEY_FILE) : [settings.SECRETS_KEY];
  const sealing = settings.SECRETS_AT_REST === 'encrypted';
  if (sealing && newest.length === 0) {
    const rule =
      'is required (32 bytes in base64: `openssl rand -base64 32`), or SECRETS_KEY_FILE; SECRETS_AT_REST=plaintext stores secrets unencrypted';
    throw new InvalidSettings([{ name: 'SECRETS_KEY', rule }]);
  }
  const keys = [...newest, ...older].flatMap((text) => text.trim() || []).map((text) => Buffer.from(text, 'base64'));
  return { keys, sealing };
};

/** Reads the keys from the environment. */
export const readSecretKeys = (environment: Readonly<Record<string, string | undefined>> = process.env): SecretKeys =>
  secretKeysOf(readSettings(secretSettingsTable, environment));

const keysInFile = (file: string | undefined): string[] => {
  if (file === undefined) return [];
  const wrong = (rule: string) => new InvalidSettings([{ name: 'SECRETS_KEY_FILE', rule }]);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(`must name a file that can be read (${(error as { code?: string }).code ?? 'unreadable'})`);
  }
  const keys = text.split('\n').flatMap((each) => each.trim() || []);
  if (keys.length === 0 || !keys.every((key) => SECRETS_KEY.schema.safeParse(key).success)) {
    throw wrong('must hold keys of 32 bytes in base64, one a line');
  }
  return keys;
};
