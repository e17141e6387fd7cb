import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemFaults } from '@turnkeeper/testing';
import { WEBHOOK_EVENTS } from '@turnkeeper/domain';
import { apiDocument } from '@turnkeeper/vendors';
import { settingsTable } from '@turnkeeper/platform';
import { describe, expect, it } from 'vitest';
import { apiMarkdown } from '../testing/docs/api-page.js';
import { asyncApiDocument } from '../testing/docs/asyncapi.js';
import { eventsMarkdown } from '../testing/docs/events-page.js';
import { metricsMarkdown } from '../testing/docs/metrics-page.js';
import { settingsMarkdown, USUAL_SETTINGS } from '../testing/docs/settings-page.js';
import { errorCatalogue, errorsMarkdown } from './error-catalogue.js';

const root = join(import.meta.dirname, '../../../..');
const docs = (name: string): string => join(root, 'docs', name);

/** `npm run docs` writes the files anew; here they are compared. */
describe('the committed documents', () => {
  it('docs/openapi.json is what the route table gives', async () => {
    await expect(`${JSON.stringify(apiDocument(), null, 2)}\n`).toMatchFileSnapshot(docs('openapi.json'));
  });

  it('docs/asyncapi.json is what the schema of notices gives', async () => {
    await expect(`${JSON.stringify(asyncApiDocument(), null, 2)}\n`).toMatchFileSnapshot(docs('asyncapi.json'));
  });

  it('docs/events.md is what the event schemas give', async () => {
    await expect(eventsMarkdown()).toMatchFileSnapshot(docs('events.md'));
  });

  it('docs/metrics.md is what the metrics catalogue gives', async () => {
    await expect(metricsMarkdown()).toMatchFileSnapshot(docs('metrics.md'));
  });

  it('docs/api.md is what the route table gives', async () => {
    await expect(apiMarkdown()).toMatchFileSnapshot(docs('api.md'));
  });

  it('docs/settings.md is what the settings table gives', async () => {
    await expect(settingsMarkdown(settingsTable)).toMatchFileSnapshot(docs('settings.md'));
  });

  it('docs/settings.md has usual settings that exist', () => {
    expect([...USUAL_SETTINGS].filter((name) => !(name in settingsTable))).toEqual([]);
  });

  it('docs/errors.md is what the error classes give', async () => {
    await expect(errorsMarkdown()).toMatchFileSnapshot(docs('errors.md'));
  });
});

it.each(WEBHOOK_EVENTS)('docs/webhooks.md says when %s is sent', async (event) => {
  expect(await readFile(docs('webhooks.md'), 'utf8')).toContain(`| \`${event}\` `);
});

describe('the error catalogue', () => {
  it('has every code that a refusal in the sources has', async () => {
    const codes = (await sources(['libs', 'apps'])).flatMap((source) =>
      [...source.matchAll(/(?:readonly code = |refusal\(\s*)'([a-z_]+\.[a-z_]+)'(?:,|;\s+readonly kind)/g)].map(
        (match) => match[1],
      ),
    );
    const listed = new Set(errorCatalogue().map((problem) => problem.code));
    expect(codes.filter((code) => code !== undefined && !listed.has(code))).toEqual([]);
  });

  it('words every refusal for people, with a next step', () => {
    const badly = errorCatalogue().map((problem) => [problem.code, problemFaults(problem)] as const);
    expect(badly.filter(([, faults]) => faults.length > 0)).toEqual([]);
  });
});

const sources = async (folders: readonly string[]): Promise<string[]> => {
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }))
        .filter((name) => /\/src\/.*\.ts$/.test(name) && !name.endsWith('.spec.ts') && !name.includes('node_modules'))
        .map((name) => join(root, folder, name)),
    ),
  );
  return Promise.all(names.flat().map((name) => readFile(name, 'utf8')));
};
