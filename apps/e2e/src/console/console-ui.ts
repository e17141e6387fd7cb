import { eventually } from '@turnkeeper/testing';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFaults, stableSnapshot, takeScreenshots, watchPage } from '../harness/browser.js';

/** Milliseconds that an element may take to appear on a busy machine. */
export const PATIENCE = 60_000;

/** The console in a tab of the browser. */
export class ConsoleUi {
  page!: Page;
  origin!: string;
  /** Everything that failed in the page so far. */
  faults: string[] = [];

  readonly start = async (browser: Browser, origin: string): Promise<void> => {
    this.origin = origin;
    this.page = await browser.newPage({
      viewport: { width: 1_280, height: 900 },
      locale: 'en-US',
      reducedMotion: 'reduce', // a dialog that fades has colours that no user reads
    });
    this.page.setDefaultTimeout(PATIENCE);
    this.faults = watchPage(this.page, origin);
  };

  readonly button = (name: string) => this.page.getByRole('button', { name, exact: true });
  readonly heading = (name: string) => this.page.getByRole('heading', { name, exact: true, level: 1 });
  readonly open = (path: string) => this.page.goto(`${this.origin}/console${path}`);
  readonly signIn = async (key: string): Promise<void> => {
    await this.page.getByRole('textbox', { name: 'API key' }).fill(key);
    await this.page.getByLabel('Stay signed in in this tab').check();
    await this.button('Sign in').click();
  };
  readonly signOut = () => this.button('Sign out').click();
  readonly dialog = () => this.page.getByRole('dialog');
  readonly inDialog = (name: string) => this.dialog().getByRole('button', { name, exact: true });
  /** The open dialog has no accessibility faults. */
  readonly inspectDialog = async (name: string): Promise<void> => {
    await this.page.getByRole('dialog', { name, exact: true }).waitFor();
    expect(await axeFaults(this.page, '[role=dialog]'), name).toEqual([]);
  };
  /** Types what the open dialog asks for, and confirms. */
  readonly confirm = async (action: string): Promise<void> => {
    expect(await this.inDialog(action).isDisabled()).toBe(true);
    await this.page.getByLabel('Name to confirm').fill(await this.dialog().locator('code').innerText());
    await this.inDialog(action).click();
    await this.dialog().waitFor({ state: 'hidden' });
  };
  readonly keepSecret = async (): Promise<void> => {
    await this.page.getByText('it is not shown again').waitFor();
    await this.button('Done').click();
    await this.dialog().waitFor({ state: 'hidden' });
  };

  /** Compressed bytes of the scripts that the page has loaded. */
  readonly scriptBytes = () =>
    this.page.evaluate<number>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );

  /** The page's accessibility tree contains these lines, and nothing failed. */
  readonly inspect = async (...lines: string[]): Promise<void> => {
    let snapshot = '';
    let missing = lines;
    const isComplete = async () => {
      snapshot = await this.page.locator('body').ariaSnapshot();
      missing = lines.filter((line) => !snapshot.includes(line));
      return missing.length === 0;
    };
    const what = () => `${JSON.stringify(missing)} in\n${snapshot}`;
    await eventually(isComplete, { withinMs: PATIENCE, everyMs: 100, what });
    expect(this.faults, this.page.url()).toEqual([]);
  };

  /** The loaded page is the one that was reviewed, without accessibility faults in light and dark. */
  readonly review = async (name: string, ...known: (readonly [string, string])[]): Promise<void> => {
    let before = '';
    let snapshot = '';
    const isSettled = async () => {
      before = snapshot;
      snapshot = await stableSnapshot(this.page, ...known);
      return snapshot === before && !snapshot.includes('Loading') && snapshot.includes('[level=1]');
    };
    await eventually(isSettled, { withinMs: PATIENCE, everyMs: 150, what: () => `${name} settles: ${snapshot}` });
    // The audit log grows with every run of the suite's steps: its first entry shows the shape of all.
    if (name === 'operations-audit') snapshot = snapshot.split('- row "<time>').slice(0, 2).join('- row "<time>');
    // The path is relative to the spec.
    await expect(snapshot).toMatchFileSnapshot(`../snapshots/console/${name}.txt`);
    expect(await axeFaults(this.page), name).toEqual([]);
    await takeScreenshots(this.page, name);
    expect(this.faults, name).toEqual([]);
  };
}
