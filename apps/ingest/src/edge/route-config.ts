import type { RouteSpec } from '@turnkeeper/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What the edge knows of a route before its handler runs, as the route's Fastify configuration. */
export interface EdgeConfig {
  /** The route of the table; absent on the few that are no API of ours, such as probes. */
  readonly spec?: Pick<RouteSpec, 'scope' | 'bodyBytes' | 'bodyType' | 'rawBody' | 'location' | 'versioned'> & {
    readonly id?: string;
    readonly path?: string;
  };
}

export const specOf = (request: FastifyRequest): EdgeConfig['spec'] =>
  (request.routeOptions.config as EdgeConfig | undefined)?.spec;

/** Gives routes the body limits of their specs. To be called before the routes are made. */
export const limitBodiesByRoute = (server: FastifyInstance): void => {
  server.addHook('onRoute', (route) => {
    const most = (route.config as EdgeConfig | undefined)?.spec?.bodyBytes;
    const general = server.initialConfig.bodyLimit ?? Number.POSITIVE_INFINITY;
    if (most !== undefined) route.bodyLimit = Math.min(most, general);
  });
};
