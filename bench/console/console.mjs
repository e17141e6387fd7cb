// Time until the console is usable: its first page and a session of 100,000 turns, compared with an empty page of the
// same server.
import { chromium } from 'playwright-core';
import { provideChromium } from '../../tools/servers/chromium.mjs';
import { apiClient } from '../../tools/shared/api.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { machine, onInstallation } from '../measuring.mjs';
import { median } from '../statistics.mjs';

const TURNS = 100_000;
const BATCH = 1_000;
const VIEWPORT = { width: 1_280, height: 900 };
const PATIENCE_MS = 60_000;

/** Milliseconds from the start of the navigation until `selector` is there and the main thread is free again. */
const UNTIL_USABLE = `(selector) => new Promise((resolve, reject) => {
  const look = () => {
    if (performance.now() > ${PATIENCE_MS}) return reject(new Error(selector + ' did not appear: ' + document.body.innerText));
    if (document.querySelector(selector) === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  };
  look();
})`;

export const run = async ({ rounds }) => {
  const browser = await chromium.launch({ executablePath: await provideChromium(say), args: ['--no-sandbox'] });
  try {
    await onInstallation((installation) => measure(installation, browser, rounds));
  } finally {
    await browser.close();
  }
};

const measure = async ({ url, apiKey, memoryId }, browser, rounds) => {
  const api = apiClient({ url, key: apiKey });
  const session = `/memory/memories/${memoryId}/actors/linh/sessions/long`;
  await step(
    'session',
    () => fill(api, session),
    () => `${TURNS.toLocaleString('en-US')} turns`,
  );
  const page = `${url}/console/memories/${memoryId}/actors/linh`;
  const transcript = '[role=log] [data-index] time';
  /** Every visit has its own empty cache. */
  const visit = async (use, signedIn = true) => {
    const context = await browser.newContext({ viewport: VIEWPORT });
    try {
      if (signedIn) {
        await context.addInitScript(`sessionStorage.setItem('turnkeeper.credential', ${JSON.stringify(apiKey)})`);
      }
      return await use(await context.newPage());
    } finally {
      await context.close();
    }
  };
  const load = (address, selector, signedIn) =>
    visit(async (tab) => {
      await tab.goto(address, { waitUntil: 'commit' });
      return tab.evaluate(`(${UNTIL_USABLE})(${JSON.stringify(selector)})`);
    }, signedIn);
  const SIDES = {
    'an empty page (/livez)': () => load(`${url}/livez`, 'body', false),
    'the console, until a key can be typed': () => load(`${url}/console`, 'input', false),
    'signed in, until the overview is shown': () => load(`${url}/console`, 'section'),
    'that session by its address, until its newest turn is shown': () => load(`${page}/sessions/long`, transcript),
    'that session from the list of sessions': () =>
      visit(async (tab) => {
        await tab.goto(page, { waitUntil: 'commit' });
        const link = tab.getByRole('link', { name: 'long', exact: true });
        await link.waitFor({ timeout: PATIENCE_MS });
        const clicked = await tab.evaluate('performance.now()');
        await link.click();
        return (await tab.evaluate(`(${UNTIL_USABLE})(${JSON.stringify(transcript)})`)) - clicked;
      }),
    'that session scrolled to its middle': () =>
      visit(async (tab) => {
        await tab.goto(`${page}/sessions/long?live=off`, { waitUntil: 'commit' });
        await tab.evaluate(`(${UNTIL_USABLE})(${JSON.stringify(transcript)})`);
        const started = await tab.evaluate(`(() => {
          const log = document.querySelector('[role=log]');
          log.scrollTo(0, log.scrollHeight / 2);
          return performance.now();
        })()`);
        await tab
          .getByText(/^turn (49|50|51)\d{3}$/)
          .first()
          .waitFor({ timeout: PATIENCE_MS });
        return (await tab.evaluate('performance.now()')) - started;
      }),
  };
  for (const visitOnce of Object.values(SIDES)) await visitOnce();
  const times = Object.fromEntries(Object.keys(SIDES).map((name) => [name, /** @type {number[]} */ ([])]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, visitOnce] of Object.entries(SIDES)) times[name].push(await visitOnce());
  }
  say(`\n| ms, cold cache, median of ${rounds} (min-max) | |`);
  say('|---|--:|');
  for (const [name, taken] of Object.entries(times)) {
    const [middle, least, most] = [median(taken), Math.min(...taken), Math.max(...taken)].map(Math.round);
    say(`| ${name} | ${middle} (${least}-${most}) |`);
  }
  say(`\n${machine()}, ${browser.version()}`);
};

const fill = async (api, session) => {
  for (let from = 0; from < TURNS; from += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => ({
      payload: {
        type: 'CONVERSATIONAL',
        role: index % 2 === 0 ? 'user' : 'assistant',
        message: `turn ${from + index}`,
      },
    }));
    await api.post(`${session}/events`, { events });
  }
};
