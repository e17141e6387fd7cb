import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { PageHead } from '../ui/parts';
import { useT } from '../text/text';
import { parseFilters, stringifyFilters, type Filters } from './filters';
import { Root } from './root';

const NotFound = () => <PageHead title={useT()('noSuchPage')} />;
const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  validateSearch: (search: Record<string, unknown>) => search as Filters,
});

const page = <P extends string>(path: P, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load as never, name as never) });

const memories = () => import('../pages/memories');
const sessions = () => import('../pages/sessions');
const records = () => import('../pages/records');
const webhooks = () => import('../pages/webhooks');
const agents = () => import('../pages/agents');

const routeTree = root.addChildren([
  page('/', () => import('../pages/overview'), 'Overview'),
  page('/memories', memories, 'Memories'),
  page('/memories/new', memories, 'NewMemory'),
  page('/memories/$memoryId', memories, 'MemoryDetails'),
  page('/memories/$memoryId/actors', sessions, 'Actors'),
  page('/memories/$memoryId/actors/$actorId', sessions, 'Sessions'),
  page('/memories/$memoryId/actors/$actorId/sessions/$sessionId', sessions, 'Transcript'),
  page('/memories/$memoryId/records', records, 'Records'),
  page('/memories/$memoryId/records/$recordId', records, 'Why'),
  page('/memories/$memoryId/search', () => import('../pages/search'), 'Search'),
  page('/agents', agents, 'Agents'),
  page('/agents/$agentId', agents, 'Agent'),
  page('/webhooks', webhooks, 'Webhooks'),
  page('/webhooks/$endpointId', webhooks, 'Endpoint'),
  page('/operations', () => import('../pages/operations'), 'Operations'),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch: parseFilters as never,
  stringifySearch: stringifyFilters,
  scrollRestoration: true,
  defaultPreload: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
