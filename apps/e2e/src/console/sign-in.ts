import { expect, it } from 'vitest';
import { watchPage } from '../harness/browser.js';
import { drawIssuerKey, tokenOf } from '../harness/token-issuer.js';
import type { ConsoleWorld } from './world.js';

/** Steps of users with a token of an issuer, and of those who need the runtime headers. */
export const signInCases = (world: ConsoleWorld): void => {
  const { ui } = world;
  const { button, heading, open, signOut } = ui;

  it('signs in at the issuer with a code and PKCE, and shows what the token may read', async () => {
    const key = drawIssuerKey();
    world.issuer.publish(key);
    const { body } = await world.stack.api.request<{ tenantId: string }>('GET', '/v1/auth/caller');
    const claims = world.issuer.claims(body.tenantId, { scope: 'memory:read' });
    const client = { clientId: 'console', redirectUri: `${ui.origin}/console/signed-in` };
    world.issuer.register({ ...client, token: () => tokenOf(claims, key) });
    await signOut();
    await open('/memories?page=1');
    const leaving = ui.faults.length;
    await button(`Sign in at ${new URL(world.issuer.url).host}`).click();
    await heading('Memories').waitFor();
    expect(new URL(ui.page.url()).pathname).toBe('/console/memories');
    // The issuer is the only other origin: its discovery document (before and after), its page, and its token endpoint.
    const left = ui.faults
      .splice(leaving)
      .map((fault) => fault.replace(/\?.*/, '').replace(`left the origin: ${world.issuer.url}`, ''));
    const discovery = '/.well-known/openid-configuration';
    expect(left).toEqual([discovery, '/authorize', discovery, '/token']);
    await ui.page.getByRole('link', { name: 'customer-support-memory' }).waitFor();
    expect(await ui.page.getByRole('link', { name: 'Create memory' }).count()).toBe(0);
    expect(await ui.page.getByRole('link', { name: /Agents|Webhooks/ }).count()).toBe(0);
    // A redirect that this tab did not request does not sign in.
    await open('/signed-in?code=stolen&state=forged');
    await button('Sign in').waitFor();
    expect(ui.faults).toEqual([]);
  });

  it('works for operators where the runtime headers are required, and names the missing one to others', async () => {
    const { url } = await world.stack.startIngest({ RUNTIME_HEADERS: 'required', ROW_LEVEL_SECURITY: 'off' });
    const sessionOf = async (key: string) => {
      const tab = await world.browser.newPage({ locale: 'en-US' });
      const seen = watchPage(tab, url);
      await tab.goto(`${url}/console/memories/${world.memoryId}/actors/linh/sessions/call-1`);
      await tab.getByRole('textbox', { name: 'API key' }).fill(key);
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
      return { tab, seen };
    };
    const operator = await sessionOf(world.operatorKey);
    await operator.tab.getByText('moved to Hue').first().waitFor();
    expect(operator.seen).toEqual([]);
    const reader = await sessionOf(await world.stack.createKey({ scopes: ['memory:read'] }));
    await reader.tab.getByRole('alert').getByText('X-GreenNode-AgentBase-User-Id').first().waitFor();
    await Promise.all([operator.tab.close(), reader.tab.close()]);
  });
};
