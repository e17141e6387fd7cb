import type { RouteSpec, Scope } from '@turnkeeper/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Marks a route that any valid key or token may call. */
export const ANY_SCOPE = 'any';

/** Route properties that the edge needs before the handler runs, stored in the route's Fastify configuration. */
export interface EdgeConfig {
  /** The route in the table; absent for routes outside the API, such as probes. */
  readonly spec?: Pick<RouteSpec, 'bodyBytes' | 'bodyType' | 'rawBody' | 'location' | 'versioned'> & {
    readonly scope: Scope | typeof ANY_SCOPE | null;
    readonly id?: string;
    readonly path?: string;
  };
}

export const specOf = (request: FastifyRequest): EdgeConfig['spec'] =>
  (request.routeOptions.config as EdgeConfig | undefined)?.spec;

/** Sets the body limits from the route specs. Call before routes are registered. */
export const limitBodiesByRoute = (server: FastifyInstance): void => {
  server.addHook('onRoute', (route) => {
    const most = (route.config as EdgeConfig | undefined)?.spec?.bodyBytes;
    const general = server.initialConfig.bodyLimit ?? Number.POSITIVE_INFINITY;
    if (most !== undefined) route.bodyLimit = Math.min(most, general);
  });
};
