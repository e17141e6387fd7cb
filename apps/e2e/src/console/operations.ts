import { eventually } from '@turnkeeper/testing';
import { expect, it } from 'vitest';
import { PATIENCE } from './console-ui.js';
import type { ConsoleWorld } from './world.js';

/** Steps of operators: parked work, keys, tenants, connectors and vendor apps. */
export const operationsCases = (world: ConsoleWorld): void => {
  const { ui } = world;
  const { button, heading, open, signIn, signOut, dialog, inDialog } = ui;
  const { confirm, inspect, inspectDialog, keepSecret } = ui;

  it('shows operators what is parked, the keys and the limits, and only what a key may read', async () => {
    await open('/operations');
    await inspect('- tab "Parked work" [selected]', '- tab "Tenants and keys"', 'Nothing is parked');
    await open('/operations?section=tenantsAndKeys');
    await inspect('- columnheader "Scopes"', '- button "Create a key"');
    await open('/');
    await inspect('- heading "Overview" [level=1]', '- heading "Extraction" [level=2]', '- cell "Requests per second"');
    await signOut();
    await signIn(await world.stack.createKey({ scopes: ['agents:read'] }));
    await heading('Overview').waitFor();
    expect(await ui.page.getByRole('link', { name: /Memories|Webhooks|Operations/ }).count()).toBe(0);
    await ui.page.getByRole('link', { name: 'Agents', exact: true }).click();
    await ui.page.getByRole('link', { name: 'front-desk' }).click();
    await heading('front-desk').waitFor();
    expect(await button('Stop agent').count()).toBe(0);
    expect(ui.faults).toEqual([]);
  });

  it('creates, rotates and revokes keys, and creates tenants, connectors and vendor apps', async () => {
    await signOut();
    await open('/operations?section=tenantsAndKeys');
    await signIn(world.operatorKey);
    await button('Create a key').click();
    await ui.page.getByLabel('admin', { exact: true }).check();
    await inDialog('Cancel').click();
    await button('Create a key').click();
    // A dialog that was closed keeps nothing, least of all a scope.
    await ui.page.getByLabel('memory:read').waitFor();
    expect(await ui.page.getByLabel('admin', { exact: true }).isChecked()).toBe(false);
    await ui.page.getByLabel('Description').fill('deploy');
    await ui.page.getByLabel('memory:read').check();
    await inspectDialog('Create a key');
    await inDialog('Create').click();
    await keepSecret();
    const rotation = ui.page.getByRole('button', { name: 'Rotate', exact: true, disabled: false });
    const usable = ui.page.getByRole('row', { name: /deploy/ }).filter({ has: rotation });
    await usable.getByRole('button', { name: 'Rotate' }).click();
    // An emptied field is left to the API; 0 would end the old key at once.
    await dialog().getByLabel('Hours for which the old key stays valid').fill('');
    const sent = ui.page.waitForRequest('**/rotate');
    await inDialog('Rotate').click();
    expect((await sent).postDataJSON()).toEqual({});
    await keepSecret();
    await eventually(async () => (await ui.page.getByRole('row', { name: /deploy/ }).count()) === 2);
    await usable.getByRole('button', { name: 'Revoke' }).click();
    await inspectDialog('Revoke');
    await confirm('Revoke');
    await ui.page
      .getByRole('row', { name: /deploy/ })
      .getByText('Revoked')
      .waitFor();
    await button('Create a tenant').click();
    await ui.page.getByLabel('Name', { exact: true }).fill('beta');
    await inDialog('Create').click();
    await ui.page.getByText('No keys').waitFor();
    await inspect('- option "beta" [selected]');

    await ui.page.getByRole('tab', { name: 'Connectors' }).click();
    await button('Add a connector').click();
    await dialog().getByLabel('Memory').selectOption('customer-support-memory');
    await ui.page.getByLabel('Description').fill('Front desk');
    await ui.page.getByRole('textbox', { name: 'Secret' }).fill('short');
    await inDialog('Create').click();
    await dialog().getByRole('alert').waitFor();
    expect(ui.faults.splice(0)).toEqual([expect.stringContaining('400')]);
    await inspect('- textbox "Secret": short', '- paragraph: must have at least 6 characters');
    await ui.page.getByRole('textbox', { name: 'Secret' }).fill('a-vendor-secret');
    await inDialog('Create').click();
    const connector = ui.page.getByRole('row', { name: /Front desk/ });
    await connector.getByRole('button', { name: 'Retry parked' }).click();
    await ui.page.getByText('0 replayed').waitFor();
    for (const app of ['app-1', 'app-2']) {
      await button('Register a vendor app').click();
      await ui.page.getByLabel('App id').fill(app);
      await inDialog('Create').click();
      await ui.page.getByRole('row', { name: new RegExp(app) }).waitFor();
    }
    await ui.page.getByRole('row', { name: /app-2/ }).getByRole('button', { name: 'Delete' }).click();
    await confirm('Delete');
    await ui.page.getByRole('row', { name: /app-2/ }).waitFor({ state: 'hidden' });
    await ui.page.getByRole('tab', { name: 'Audit log' }).click();
    await ui.page.getByRole('cell', { name: 'deleteVendorApp' }).waitFor();
    expect(ui.faults).toEqual([]);
  });

  it('replays and drops parked work, and compares the stream with the log', async () => {
    await world.stack.inspector.rows(
      `insert into parked_items (source, item_id, code, error, payload, attempts)
       values ('jetstream/elsewhere', '1', 'message.unreadable', 'it is not JSON', 'x', 1)`,
    );
    await world.stack.inspector.rows(`update webhook_deliveries set status = 'parked', park_reason = 'exhausted'`);
    const before = world.receiver.received.length;
    await ui.page.getByRole('tab', { name: 'Parked work' }).click();
    const delivery = ui.page.getByRole('row', { name: /exhausted/ });
    await delivery.getByRole('button', { name: 'Replay' }).click();
    await delivery.waitFor({ state: 'hidden' });
    await eventually(async () => world.receiver.received.length > before, { withinMs: PATIENCE });
    const message = ui.page.getByRole('row', { name: /message\.unreadable/ });
    await message.getByText('Cause').click();
    await message.getByText('it is not JSON').waitFor();
    await message.getByRole('button', { name: 'Drop' }).click();
    await confirm('Drop');
    await ui.page.getByText('Nothing is parked').waitFor();
    await ui.page.getByRole('tab', { name: 'Log and copies' }).click();
    await button('Reconcile stream').click();
    await ui.page.getByRole('status').getByText('Events compared').waitFor();
    expect(ui.faults).toEqual([]);
  });
};
