import type { Setting, SettingsTable } from './define-settings.js';

/** Contents of docs/settings.md. */
export const settingsMarkdown = (table: SettingsTable): string =>
  `${[
    '# Settings',
    '',
    'Environment variables of ingest, worker and the command line; `npm start` reads `.env` as well. This page is generated',
    'from `libs/platform/src/config/settings.ts` (`npm run docs`). An empty value counts as unset. `NAME_FILE` names a file',
    'that holds the value of a secret. A wrong value stops the start and is named with its rule.',
    '',
    '| setting | default | meaning |',
    '| --- | --- | --- |',
    ...Object.entries(table).map(
      ([name, setting]) => `| \`${name}\` | ${inCell(defaultOf(setting))} | ${inCell(setting.about)} |`,
    ),
  ].join('\n')}\n`;

const defaultOf = ({ schema, example }: Setting): string => {
  const fallback = schema.safeParse(undefined);
  if (fallback.success && fallback.data !== undefined && fallback.data !== '') return `\`${String(fallback.data)}\``;
  return fallback.success ? 'unset' : `required, e.g. \`${example ?? ''}\``;
};

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
