import { SCOPES } from '@turnkeeper/contracts';
import { eventually } from '@turnkeeper/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFaults, launchBrowser, watchPage } from './harness/browser.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

/** Milliseconds that an element may take to appear on a busy machine. */
const PATIENCE = 60_000;
const HOSTILE = [
  '<script>alert("planted")</script><img src=x onerror=alert("planted")>',
  'pay \u202e001 EUR\u202c to https://evil.example/ [here](javascript:alert(1))',
  'x'.repeat(100_000),
];

/** The console in a browser. */
describe('the console', () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let receiver: Receiver;
  let origin: string;
  let faults: string[];
  let memoryId: string;
  let operatorKey: string;

  beforeAll(async () => {
    [stack, browser, receiver] = await Promise.all([Stack.start(), launchBrowser(), startReceiver()]);
    operatorKey = await stack.createKey({ scopes: SCOPES });
    origin = stack.ingests[0]!.url;
    page = await browser.newPage({
      ...{ viewport: { width: 1_280, height: 900 }, locale: 'en-US' },
      reducedMotion: 'reduce', // a dialog that fades has colours that no user reads
    });
    page.setDefaultTimeout(PATIENCE);
    faults = watchPage(page, origin);
  });
  afterAll(async () => {
    await browser.close();
    await receiver.close();
    await stack.stop();
  });

  // The steps build on each other: after a failure the rest would only wait for what cannot come.
  let failed = false;
  beforeEach(() => {
    if (failed) throw new Error('An earlier step failed.');
    failed = true;
  });
  afterEach(({ task }) => {
    failed = task.result?.errors !== undefined && task.result.errors.length > 0;
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const open = (path: string) => page.goto(`${origin}/console${path}`);

  /** Compressed bytes of the scripts that the page has loaded. */
  const scriptBytes = () =>
    page.evaluate<number>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );

  /** The page's accessibility tree contains these lines, it has no accessibility violation, and nothing failed. */
  const inspect = async (...lines: string[]): Promise<void> => {
    let snapshot = '';
    let missing = lines;
    const isComplete = async () => {
      snapshot = await page.locator('body').ariaSnapshot();
      missing = lines.filter((line) => !snapshot.includes(line));
      return missing.length === 0;
    };
    const what = () => `${JSON.stringify(missing)} in\n${snapshot}`;
    await eventually(isComplete, { withinMs: PATIENCE, everyMs: 100, what });
    expect(await axeFaults(page), page.url()).toEqual([]);
    expect(faults, page.url()).toEqual([]);
  };

  it('asks for a key, and refuses a wrong one in the words of the API', async () => {
    await open('/memories');
    await inspect('- heading "Turnkeeper" [level=1]', '- textbox "API key"', '- button "Sign in"');
    await page.getByRole('textbox', { name: 'API key' }).fill('tk_wrong');
    await button('Sign in').click();
    await page.getByRole('alert').getByText('auth.unauthenticated').waitFor();
    // The browser itself reports the 401.
    expect(faults.splice(0)).toEqual([expect.stringContaining('401')]);
    await page.getByRole('textbox', { name: 'API key' }).fill(operatorKey);
    await page.getByLabel('Stay signed in in this tab').check();
    await button('Sign in').click();
    await heading('Memories').waitFor();
    expect(await scriptBytes()).toBeLessThan(250_000);
    await inspect('No memories yet', '- link "Create memory"', '- navigation "Menu"');
  });

  it('creates a memory as the guide prints it, with the rule of the API at the field', async () => {
    await page.getByRole('link', { name: 'Create memory' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('customer support!');
    await page.getByLabel('Event expiry duration').fill('30');
    await button('Add a strategy').click();
    await button('Create').click();
    await page.getByRole('alert').waitFor();
    expect(faults.splice(0)).toEqual([expect.stringContaining('400')]);
    await inspect('- textbox "Name" [invalid]', '- textbox "Namespace template"', '[checked]');
    await page.getByLabel('Name', { exact: true }).fill('customer-support-memory');
    await button('Create').click();
    await heading('customer-support-memory').waitFor();
    memoryId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await inspect('- tab "Details" [selected]', '30 days', '- cell "semantic-facts"', 'button "Copy: curl: append"');
  });

  it('shows turns as they are appended, and what was remembered from them', async () => {
    const session = { memoryId, actorId: 'linh', sessionId: 'call-1' };
    const say = (role: string, message: string) =>
      stack.api.append(session, { payload: { type: 'CONVERSATIONAL', role, message } });
    await say('user', 'Hello, my name is Linh.');
    await open(`/memories/${memoryId}/actors/linh/sessions/call-1`);
    await page.getByRole('log').getByText('my name is Linh').waitFor();
    await say('user', 'I moved to Hue last month.');
    await page.getByRole('log').getByText('I moved to Hue last month.').waitFor();
    await page.getByText('Read by extraction').waitFor();
    await page.getByRole('log').locator('mark', { hasText: 'moved to Hue' }).waitFor();
    await inspect('- switch "Live" [checked]', '- log "Turns"', '2 turns');
  });

  it('explains a record by the turn that it is from', async () => {
    await page.getByRole('tab', { name: 'Records' }).click();
    await page.getByRole('link', { name: /moved to Hue/ }).waitFor();
    await inspect('- combobox "Strategy"', '- columnheader "Strength"', '- switch "Show superseded"');
    await page.getByRole('link', { name: /moved to Hue/ }).click();
    await heading('Why the memory believes this').waitFor();
    await page.locator('mark', { hasText: 'moved to Hue' }).waitFor();
    await inspect('- heading "Sources" [level=2]', 'heading "Extraction: made it" [level=2]', '- link "call-1"');
  });

  it('searches turns with their score, and keeps the search in the address', async () => {
    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByLabel('Query').fill('Where did she move?');
    await button('Search').click();
    await page.getByRole('list', { name: 'Turns' }).getByText('I moved to Hue last month.').waitFor();
    await inspect('- progressbar "Its own words"');
    await page.reload();
    await page.getByRole('list', { name: 'Turns' }).getByText('I moved to Hue last month.').waitFor();
    const query = new URLSearchParams({ q: 'moved', kind: 'context', actor: 'linh', budget: '500' });
    await open(`/memories/${memoryId}/search?${query}`);
    await inspect('- heading "Context block for the model" [level=2]', 'tokens from');
  });

  it('stops an agent, and replays the delivery of its history', async () => {
    await open('/webhooks');
    await page.getByText('No webhook endpoints').waitFor();
    await button('Add an endpoint').first().click();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByLabel('agent.history').check();
    await button('Create').click();
    await page.getByText('it is not shown again').waitFor();
    await inspect('- dialog "Add an endpoint"', '- region "Secret"');
    await button('Done').click();
    const name = 'front-desk';
    const { id: agentId } = await stack.api.startAgent({ memoryId, actorId: 'linh', sessionId: 'call-2' }, name);
    await open(`/agents/${agentId}`);
    await heading(name).waitFor();
    await button('Stop agent').click();
    await page.getByLabel('Name to confirm').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Stop agent' }).click();
    await page.getByText('stopped', { exact: true }).waitFor();
    await inspect('- heading "Next LLM request" [level=2]');
    await open('/webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    const row = page.getByRole('row', { name: /agent\.history/ });
    await row.getByText('delivered', { exact: true }).waitFor();
    await inspect('- columnheader "Attempts"', '- button "Send a test"', '- button "Rotate secret"');
    await row.getByRole('button', { name: 'Replay' }).click();
    await eventually(async () => receiver.received.length >= 2, { withinMs: PATIENCE });
  });

  it('shows what was said as text only, with hidden characters named and long texts cut', async () => {
    const session = { memoryId, actorId: '<b>mallory</b>', sessionId: '"><script>alert(1)</script>' };
    const encoded = [session.actorId, session.sessionId].map(encodeURIComponent);
    const path = `/memory/memories/${memoryId}/actors/${encoded[0]}/sessions/${encoded[1]}/events`;
    for (const message of HOSTILE) {
      const body = { payload: { type: 'CONVERSATIONAL', role: 'user', message }, metadata: { '<i>': HOSTILE[0] } };
      expect((await stack.api.request('POST', path, { body })).status).toBe(200);
    }
    await open(`/memories/${memoryId}/actors/${encoded[0]}/sessions/${encoded[1]}`);
    const log = page.getByRole('log');
    await log.getByText('100,000 characters').waitFor();
    await page.evaluate(`document.querySelector('[role=log]').scrollTo(0, 0)`);
    await log.getByText(HOSTILE[0]!, { exact: true }).first().waitFor();
    await log.getByText('U+202E').waitFor();
    expect(await log.locator('script, img, b, a[href*="evil"], a[href^="javascript"]').count()).toBe(0);
    await inspect('- heading "\\"><script>alert(1)</script>" [level=1]');
  });

  it('shows operators what is parked, the keys and the limits, and only what a key may read', async () => {
    await open('/operations');
    await inspect('- tab "Parked work" [selected]', '- tab "Tenants and keys"', 'Nothing is parked');
    await open('/operations?section=tenantsAndKeys');
    await inspect('- columnheader "Scopes"', '- button "Create a key"');
    await open('/');
    await inspect('- heading "Overview" [level=1]', '- heading "Extraction" [level=2]', '- cell "Requests per second"');
    await button('Sign out').click();
    await page.getByRole('textbox', { name: 'API key' }).fill(await stack.createKey({ scopes: ['agents:read'] }));
    await button('Sign in').click();
    await heading('Overview').waitFor();
    expect(await page.getByRole('link', { name: /Memories|Webhooks|Operations/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('link', { name: 'front-desk' }).click();
    await heading('front-desk').waitFor();
    expect(await button('Stop agent').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('deletes a memory only by its name, and fits a telephone', async () => {
    await button('Sign out').click();
    await page.getByRole('textbox', { name: 'API key' }).fill(operatorKey);
    await button('Sign in').click();
    await heading('front-desk').waitFor();
    await page.setViewportSize({ width: 375, height: 812 });
    await page.keyboard.press('Control+k');
    await page.getByLabel('Page or memory').fill('customer-support');
    await page.getByRole('dialog').getByRole('button', { name: 'customer-support-memory', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await heading('customer-support-memory').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
    await button('Delete').click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
    await page.getByLabel('Name to confirm').fill('customer-support');
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Name to confirm').fill('customer-support-memory');
    await confirm.click();
    await page.getByText('No memories yet').waitFor();
    expect(faults).toEqual([]);
  });
});
