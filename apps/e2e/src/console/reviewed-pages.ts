import { expect } from 'vitest';
import type { Stack } from '../harness/stack.js';
import type { ConsoleUi } from './console-ui.js';

/** Signs in and compares every page with its reviewed accessibility tree. */
export const reviewPages = async (
  ui: ConsoleUi,
  stack: Stack,
  { memoryId, operatorKey }: { readonly memoryId: string; readonly operatorKey: string },
): Promise<void> => {
  await ui.review('sign-in');
  await ui.open('/');
  await ui.signIn(operatorKey);
  const post = (path: string, body: object) => stack.api.request<{ id: string }>('POST', path, { body });
  const ok = async (answer: ReturnType<typeof post>) => expect((await answer).status).toBeLessThan(300);
  const records = `/memory/memories/${memoryId}/memory-records`;
  await ok(post(`${records}:insert-directly?namespace=/reviewed`, { memoryRecords: ['Linh likes tea.'] }));
  await stack.api.untilExtracted(memoryId);
  const { body: agents } = await stack.api.request<{ items: { id: string }[] }>('GET', '/v1/agents');
  const { body: endpoints } = await stack.api.request<{ items: { id: string }[] }>('GET', '/v1/webhook-endpoints');
  const { body: strategies } = await stack.api.request<{ id: string; namespaceTemplate: string }[]>(
    ...(['GET', `/memory/memories/${memoryId}/long-term-memory-strategies`] as const),
  );
  const namespace = strategies[0]!.namespaceTemplate
    .replace('{memoryStrategyId}', strategies[0]!.id)
    .replace('{actorId}', 'linh');
  const believed = (await stack.api.records(memoryId, namespace)).find(({ memory }) =>
    memory.includes('moved to Hue'),
  )!;
  const memory = `/memories/${memoryId}`;
  const pages: Readonly<Record<string, string>> = {
    overview: '/',
    memories: '/memories',
    'memory-new': '/memories/new',
    memory: memory,
    'sessions-recent': `${memory}/actors`,
    actors: `${memory}/actors?view=actors`,
    actor: `${memory}/actors/linh`,
    session: `${memory}/actors/linh/sessions/call-1`,
    records: `${memory}/records?namespace=/reviewed`,
    'record-why': `${memory}/records/${believed.id}`,
    search: `${memory}/search?q=tea&kind=records&namespace=/reviewed`,
    agents: '/agents',
    agent: `/agents/${agents.items[0]!.id}`,
    webhooks: '/webhooks',
    webhook: `/webhooks/${endpoints.items[0]!.id}`,
    'operations-parked': '/operations?section=parkedWork',
    'operations-log': '/operations?section=logCopies',
    'operations-tenants': '/operations?section=tenantsAndKeys',
    'operations-connectors': '/operations?section=connectors',
    'operations-audit': '/operations?section=auditLog',
    'operations-limits': '/operations?section=limits',
    'not-found': '/nowhere',
  };
  await ui.page.mouse.move(0, 0); // a hovered row looks different
  for (const [name, path] of Object.entries(pages)) {
    // The router follows the history; loading the page anew each time would take most of the test's time.
    await ui.page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`);
    await ui.page.waitForURL(`${ui.origin}/console${path}`);
    await ui.review(name, [believed.memory, '<record>']);
  }
};
