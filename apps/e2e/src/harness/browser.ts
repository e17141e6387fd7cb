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
const STILL = `new Promise((resolve) => {
  // Transitions of a changed scheme start with the next frame.
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.getAnimations().every(
    ({ playState, effect }) => playState !== 'running' || effect.getComputedTiming().endTime === Infinity))));
})`;

/**
 * Accessibility violations in light and dark mode. Only colours depend on the scheme.
 *
 * @param within selector of the part of the page to examine
 */
export const axeFaults = async (page: Page, within = ':root'): Promise<string[]> => {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeSource);
  const still = () => eventually(() => page.evaluate<boolean>(STILL), { what: 'nothing on the page moves' });
  const run = async (options: string): Promise<string[]> => {
    const violations = await page.evaluate<Violation[]>(
      `axe.run(${JSON.stringify(within)}, ${options}).then((r) => r.violations)`,
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  };
  await page.emulateMedia({ colorScheme: 'light' });
  await still();
  const light = await run("{ resultTypes: ['violations'] }");
  await page.emulateMedia({ colorScheme: 'dark' });
  await still();
  const dark = await run("{ resultTypes: ['violations'], runOnly: ['color-contrast'] }");
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((fault) => `dark ${fault}`)];
};

/** What differs between two runs on the same data: ids, keys, ports, times, durations and other numbers. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>'],
  [/\btk_\w+/g, '<key>'],
  [/\b[0-9a-f]{16}\b/g, '<key id>'],
  [/\bmsg_\w+/g, '<message>'],
  [/127\.0\.0\.1:\d+/g, '<host>'],
  [/[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}:\d{2}\s[AP]M|–/g, '<time>'], // a dash where there is none yet
  [/(?:[A-Z][a-z]+day, )?\b\d{1,2} [A-Z][a-z]{2,8} \d{4}\b/g, '<day>'],
  [/(?<!level=)\d[\d,.]*/g, '<n>'],
  [/\b(?:Caught up|Reading)\b/g, '<progress>'],
];

/** The page as a screen reader gets it, without what changes from run to run. */
export const stableSnapshot = async (page: Page, ...known: readonly (readonly [string, string])[]): Promise<string> => {
  let text = await page.locator('body').ariaSnapshot();
  for (const [words, name] of known) text = text.replaceAll(words, name);
  for (const [pattern, name] of CHANGING) text = text.replaceAll(pattern, name);
  // Facts of one message have one time, so their order is that of their extraction.
  const sorted = (_block: string, facts: string): string =>
    `<memory>\\\\n${facts.split('\\\\n').sort().join('\\\\n')}\\\\n</memory>`;
  return `${text.replace(/<memory>\\\\n(.*?)\\\\n<\/memory>/g, sorted)}\n`;
};

/** Narrow, medium and wide. */
const WIDTHS = [375, 1_280, 2_560];

/** Screenshots of the page in three widths, light and dark, into the folder of TK_SCREENSHOTS if it is set. */
export const takeScreenshots = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['TK_SCREENSHOTS'];
  if (folder === undefined || folder === '') return;
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 600 ? 812 : Math.round(width * 0.66) });
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: width < 600 });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
};
