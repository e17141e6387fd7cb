import type { Setting, SettingsTable } from '@turnkeeper/platform';

/** What most installations choose. The page lists the others as advanced. */
export const USUAL_SETTINGS: ReadonlySet<string> = new Set(
  `DATABASE_URL MIGRATION_DATABASE_URL NATS_URL QUEUE_URL SECRETS_KEY SECRETS_KEY_FILE PUBLIC_URL INGEST_HOST
  INGEST_PORT INGEST_OPERATIONS_PORT WORKER_HOST WORKER_PORT TRUSTED_PROXIES CORS_ORIGINS LOG_LEVEL CONSOLE
  OIDC_ISSUER OIDC_AUDIENCE OIDC_CLIENT_ID LLM_BASE_URL LLM_MODEL LLM_API_KEY LLM_TENANT_TOKENS_PER_DAY EMBEDDINGS
  CHAT_MODEL_URL CHAT_MODEL_API_KEY WEBHOOK_ALLOW_CIDRS STREAM_REPLICAS AUDIT_LOG_DAYS BACKUP_DAYS
  OTEL_EXPORTER_OTLP_ENDPOINT`.split(/\s+/),
);

/** Contents of docs/settings.md. */
export const settingsMarkdown = (table: SettingsTable): string => {
  const settings = Object.entries(table);
  return `${[
    '# Settings',
    '',
    'Environment variables of ingest, worker and the command line; `npm start` reads `.env` as well. This page is generated',
    'from `libs/platform/src/config/settings.ts` (`npm run docs`). An empty value counts as unset. `NAME_FILE` names a file',
    'that holds the value of a secret. A wrong value stops the start and is named with its rule.',
    '',
    ...rowsOf(settings.filter(([name]) => USUAL_SETTINGS.has(name))),
    '',
    '## Advanced',
    '',
    'Limits, intervals and special cases. Change them when a figure or a page of the documentation gives a reason to.',
    '',
    ...rowsOf(settings.filter(([name]) => !USUAL_SETTINGS.has(name))),
  ].join('\n')}\n`;
};

const rowsOf = (settings: readonly (readonly [string, Setting])[]): readonly string[] => [
  '| setting | default | meaning |',
  '| --- | --- | --- |',
  ...settings.map(([name, setting]) => `| \`${name}\` | ${inCell(defaultOf(setting))} | ${inCell(setting.about)} |`),
];

const defaultOf = ({ schema, example }: Setting): string => {
  const fallback = schema.safeParse(undefined);
  if (fallback.success && fallback.data !== undefined && fallback.data !== '') return `\`${String(fallback.data)}\``;
  return fallback.success ? 'unset' : `required, e.g. \`${example ?? ''}\``;
};

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
