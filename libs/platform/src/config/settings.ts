import { readSettings, type SettingsOf } from './define-settings.js';
import { chatSettings } from './chat-settings.js';
import { extractionSettings } from './extraction-settings.js';
import { httpSettings } from './http-settings.js';
import { serverSettings } from './server-settings.js';
import { backgroundSettings } from './background-settings.js';

/**
 * Every setting of every process. Defaults, `.env.example`, the start-up line and the docs are derived from this table.
 */
export const settingsTable = {
  ...serverSettings,
  ...httpSettings,
  ...extractionSettings,
  ...chatSettings,
  ...backgroundSettings,
} as const;

export type Settings = SettingsOf<typeof settingsTable>;

export const loadSettings = (environment: Readonly<Record<string, string | undefined>> = process.env): Settings =>
  readSettings(settingsTable, environment);
