import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { eventually } from '@turnkeeper/testing';
import { chromium, type Browser, type Page } from 'playwright-core';

const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** `npm test` sets TK_CHROMIUM and installs the browser if it is missing. */
const chromiumPath = (): string => {
  const given = process.env['TK_CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders
    .flatMap((folder) => PROGRAMS.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('There is no Chromium in PATH. `npm test` installs it, or set TK_CHROMIUM.');
  return found;
};

export const launchBrowser = (): Promise<Browser> =>
  // As root in a container, Chromium's own sandbox cannot start.
  chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });

/** Everything that must not happen on a page: errors and warnings in the console, and requests to other origins. */
export const watchPage = (page: Page, origin: string): string[] => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { origin: target, protocol } = new URL(request.url());
    if (target !== origin && protocol !== 'data:' && protocol !== 'blob:')
      faults.push(`left the origin: ${request.url()}`);
  });
  return faults;
};

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A dialog that fades has colours that no user reads. */
const STILL = `document.getAnimations().every(
  ({ playState, effect }) => playState !== 'running' || effect.getComputedTiming().endTime === Infinity)`;

/** Accessibility violations of the page, in light and dark mode. Only colours depend on the scheme. */
export const axeFaults = async (page: Page): Promise<string[]> => {
  await page.evaluate(axeSource);
  const still = () => eventually(() => page.evaluate<boolean>(STILL), { what: 'nothing on the page moves' });
  const run = async (options: string): Promise<string[]> => {
    const violations = await page.evaluate<Violation[]>(`axe.run(document, ${options}).then((r) => r.violations)`);
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  };
  await page.emulateMedia({ colorScheme: 'light' });
  await still();
  const light = await run("{ resultTypes: ['violations'] }");
  await page.emulateMedia({ colorScheme: 'dark' });
  await still();
  const dark = await run("{ resultTypes: ['violations'], runOnly: ['color-contrast'] }");
  return [...light, ...dark.map((fault) => `dark ${fault}`)];
};
