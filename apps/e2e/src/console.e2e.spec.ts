import { SCOPES } from '@turnkeeper/contracts';
import { eventually } from '@turnkeeper/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PATIENCE } from './console/console-ui.js';
import { operationsCases } from './console/operations.js';
import { reviewPages } from './console/reviewed-pages.js';
import { signInCases } from './console/sign-in.js';
import { ConsoleWorld } from './console/world.js';
import { launchBrowser } from './harness/browser.js';
import { turn } from './harness/api.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';
import { startTokenIssuer } from './harness/token-issuer.js';

const HOSTILE = [
  '<script>alert("planted")</script><img src=x onerror=alert("planted")>',
  'pay \u202e001 EUR\u202c to https://evil.example/ [here](javascript:alert(1))',
  'x'.repeat(100_000),
];
const THANKS = { status: 200, body: Buffer.from('{"say":"thank you"}') };

/** The console in a browser. */
describe('the console', () => {
  const world = new ConsoleWorld();
  const { ui } = world;
  const { button, heading, open, signIn, dialog, inDialog } = ui;
  const { confirm, inspect, inspectDialog, keepSecret, scriptBytes } = ui;
  let stack: Stack;
  let page: Page;
  let receiver: Receiver;
  let faults: string[];
  let memoryId: string;

  beforeAll(async () => {
    world.issuer = await startTokenIssuer();
    const { url, audience } = world.issuer;
    const settings = { OIDC_ISSUER: url, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: 'console' };
    [world.stack, world.browser, world.receiver] = await Promise.all([
      Stack.start({ settings }),
      launchBrowser(),
      startReceiver(() => THANKS),
    ]);
    ({ stack, receiver } = world);
    world.operatorKey = await stack.createKey({ scopes: SCOPES });
    await ui.start(world.browser, stack.ingests[0]!.url);
    ({ page, faults } = ui);
  });
  afterAll(async () => {
    await world.browser.close();
    await receiver.close();
    await stack.stop();
    await world.issuer.close();
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

  it('asks for a key, and refuses a wrong one in the words of the API', async () => {
    await open('/memories');
    await inspect('- heading "Turnkeeper" [level=1]', '- textbox "API key"', '- button "Sign in"');
    await page.getByRole('textbox', { name: 'API key' }).fill('tk_wrong');
    await button('Sign in').click();
    await page.getByRole('alert').getByText('auth.unauthenticated').waitFor();
    // The browser itself reports the 401.
    expect(faults.splice(0)).toEqual([expect.stringContaining('401')]);
    await signIn(world.operatorKey);
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
    world.memoryId = memoryId;
    await inspect('- tab "Details" [selected]', '30 days', '- cell "semantic-facts"', 'button "Copy: curl: append"');
  });

  it('shows turns as they are appended, by the stream or without it, and what was remembered from them', async () => {
    const session = { memoryId, actorId: 'linh', sessionId: 'call-1' };
    // While the stream is open, the page does not poll: what appears came by the stream.
    const streamed = page.waitForResponse((response) => response.url().includes('/events/stream'));
    const say = (role: string, message: string) =>
      stack.api.append(session, { payload: { type: 'CONVERSATIONAL', role, message } });
    await say('user', 'Hello, my name is Linh.');
    await open(`/memories/${memoryId}/actors/linh/sessions/call-1`);
    const said = (text: string) => page.getByRole('log').getByText(text, { exact: true });
    await said('Hello, my name is Linh.').waitFor();
    expect((await streamed).status()).toBe(200);
    await say('user', 'I moved to Hue last month.');
    await said('I moved to Hue last month.').waitFor();
    await page.route('**/events/stream', (route) => route.fulfill({ status: 429, json: {} }));
    await page.reload();
    await said('I moved to Hue last month.').waitFor();
    await say('assistant', 'How do you like it there?');
    await said('How do you like it there?').waitFor();
    await page.unroute('**/events/stream');
    expect(faults.splice(0).filter((fault) => !fault.includes('429'))).toEqual([]);
    await page.getByText('Read by extraction').waitFor();
    await page.getByRole('log').locator('mark', { hasText: 'moved to Hue' }).waitFor();
    await inspect('- switch "Live" [checked]', '- log "Turns"', '3 turns');
  });

  it('shows what a model cost by day, and what was not kept of its facts', async () => {
    const modelUsage = [{ day: '2026-03-04', strategyId: memoryId, calls: 7, inputTokens: 21_400, outputTokens: 950 }];
    await page.route('**/usage', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), modelUsage } });
    });
    await open(`/memories/${memoryId}`);
    await inspect('- table "Use of the model by day"', '- cell "2026-03-04"', '- cell "21,400"', '- cell "950"');
    await page.unroute('**/usage');
    const skipped = { refused_quote_not_in_event: 2, doubt_number_not_in_source: 1 };
    await page.route('**/call-1/extraction', async (route) => {
      const response = await route.fetch();
      const { strategies } = (await response.json()) as { strategies: object[] };
      const json = { newestSequence: 0, strategies: strategies.map((each) => ({ ...each, skipped })) };
      await route.fulfill({ response, json });
    });
    await open(`/memories/${memoryId}/actors/linh/sessions/call-1`);
    await page.getByText('refused_quote_not_in_event 2, doubt_number_not_in_source 1').waitFor();
    await page.unroute('**/call-1/extraction');
  });

  it('opens a long session at its end, and shows any other place of it', async () => {
    const memory = await stack.api.createMemory({ name: 'long' });
    const session = { memoryId: memory.id, actorId: 'linh', sessionId: 'long' };
    for (let from = 0; from < 6_000; from += 1_000) {
      await stack.api.appendBatch(
        session,
        Array.from({ length: 1_000 }, (_, at) => turn('user', `turn ${from + at}`)),
      );
    }
    await open(`/memories/${memory.id}/actors/linh/sessions/long`);
    const log = page.getByRole('log');
    await log.getByText('turn 5999', { exact: true }).waitFor();
    await page.getByText('6,000 turns').waitFor();
    const places = [
      [0, 'turn 0'],
      [0.9, /^turn 5[34]\d\d$/],
    ] as const;
    for (const [place, text] of places) {
      // Again and again: until all of its newest turns are measured, the page follows its end.
      const isShown = async () => {
        await page.evaluate(`(({ scrollHeight }) => document.querySelector('[role=log]')
          .scrollTo(0, scrollHeight * ${place}))(document.querySelector('[role=log]'))`);
        return (await log.getByText(text, { exact: true }).count()) > 0;
      };
      await eventually(isShown, { withinMs: PATIENCE, everyMs: 300, what: `${text} is shown` });
    }
    expect(faults).toEqual([]);
    expect((await stack.api.request('DELETE', `/memory/memories/${memory.id}`)).status).toBe(200);
    await open(`/memories/${memoryId}/actors/linh/sessions/call-1`);
  });

  it('explains a record by the turn that it is from', async () => {
    await page.getByRole('tab', { name: 'Records' }).click();
    await page.getByRole('link', { name: /moved to Hue/ }).waitFor();
    await inspect('- combobox "Strategy"', '- columnheader "Value"', '- switch "Show superseded"');
    await page.getByRole('link', { name: /moved to Hue/ }).click();
    await heading('Why the memory believes this').waitFor();
    await page.locator('mark', { hasText: 'moved to Hue' }).waitFor();
    await inspect('- heading "Sources" [level=2]', 'heading "Extraction: created it" [level=2]', '- link "call-1"');
    await button('Correct').click();
    await inspectDialog('Correct');
    // The dialog stays open when the record cannot be fetched again.
    await page.route('**/explain', (route) => route.fulfill({ status: 429, json: {} }));
    const isRefused = async () => {
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      return (await page.locator('[role=alert]').count()) > 0;
    };
    await eventually(isRefused, { withinMs: PATIENCE, everyMs: 300, what: 'a refused fetch' });
    await page.unroute('**/explain');
    await inDialog('Cancel').click();
    expect(faults.splice(0).filter((fault) => !fault.includes('429'))).toEqual([]);
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
    await button('Add an endpoint').click();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    const events = dialog().getByRole('checkbox', { checked: true });
    // As the API without `events`.
    expect(await events.evaluateAll((boxes) => boxes.map((box) => (box as { value?: string }).value))).toEqual([
      'agent.history',
    ]);
    await button('Create').click();
    await page.getByText('it is not shown again').waitFor();
    await inspect('- dialog "Add an endpoint"', '- region "Secret"');
    await inspectDialog('Add an endpoint');
    await keepSecret();
    const name = 'front-desk';
    const { id: agentId } = await stack.api.startAgent({ memoryId, actorId: 'linh', sessionId: 'call-2' }, name);
    await open(`/agents/${agentId}`);
    await heading(name).waitFor();
    await button('Stop agent').click();
    await page.getByLabel('Name to confirm').fill(name);
    await inDialog('Stop agent').click();
    await page.getByText('stopped', { exact: true }).waitFor();
    await inspect('- heading "Next LLM request" [level=2]');
    await open('/webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    const row = page.getByRole('row', { name: /agent\.history/ });
    await row.getByText('delivered', { exact: true }).waitFor();
    await inspect('- columnheader "Attempts"', '- button "Send a test"', '- button "Rotate secret"');
    await row.getByRole('button', { name: 'Replay' }).click();
    await eventually(async () => receiver.received.length >= 2, { withinMs: PATIENCE });
    await row.getByText('delivered', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Details' }).click();
    await dialog().getByText('#2 · delivered · 200').waitFor();
    await inspect('- dialog "Delivery"', '- heading "Body" [level=3]', '\\"type\\": \\"agent.history\\"', 'thank you');
    await inspectDialog('Delivery');
    expect(new URL(page.url()).searchParams.get('delivery')).not.toBeNull();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await button('Send a test').click();
    await page.getByRole('status').getByText('delivered · 200').waitFor();
    await button('Rotate secret').click();
    await inspectDialog('Rotate secret');
    const hours = dialog().getByLabel('Hours for which the old secret stays valid');
    await hours.fill('1000');
    // The field corrects itself only when it is left; until then the API's rule is shown at it.
    await hours.press('Enter');
    await dialog().getByRole('alert').waitFor();
    expect(faults.splice(0)).toEqual([expect.stringContaining('400')]);
    await inspect('stays valid" [invalid]');
    await hours.press('Tab');
    expect(await hours.inputValue()).toBe('168');
    await inDialog('Rotate secret').click();
    await keepSecret();
    await inspect('(until');
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

  operationsCases(world);
  signInCases(world);

  it('shows every page to a screen reader as reviewed, in light and in dark', { timeout: 600_000 }, () =>
    reviewPages(ui, stack, world),
  );

  it('deletes a memory only by its name, and fits a telephone', async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    await page.keyboard.press('Control+k');
    await page.getByLabel('Page or memory').fill('customer-support');
    await inDialog('customer-support-memory').waitFor();
    await inspectDialog('Go to…');
    await page.keyboard.press('Enter');
    await heading('customer-support-memory').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
    await button('Delete').click();
    await page.getByLabel('Name to confirm').fill('customer-support');
    await confirm('Delete');
    await page.getByText('No memories yet').waitFor();
    expect(faults).toEqual([]);
  });
});
