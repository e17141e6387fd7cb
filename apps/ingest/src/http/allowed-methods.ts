import type { FastifyInstance } from 'fastify';
import type { EdgeConfig } from '../edge/route-config.js';
import { httpFailure } from './http-failure.js';

/** The path exists, but not with this method. Returned as 405 with `Allow`. */
export class MethodNotAllowed extends httpFailure(
  'route.method_not_allowed',
  'The method is not served for this path.',
  405,
) {}

/** Methods per path. Used only for requests that match no route. */
export class AllowedMethods {
  private readonly paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  add(path: string, methods: readonly string[]): void {
    const known = this.paths.get(path) ?? { pattern: patternOf(path), methods: new Set<string>() };
    for (const method of methods) known.methods.add(method);
    this.paths.set(path, known);
  }

  /** Sorted; empty for an unknown path. */
  of(url: string): string[] {
    const path = url.split('?', 1)[0] ?? '';
    const methods = [...this.paths.values()].filter(({ pattern }) => pattern.test(path)).map((one) => [...one.methods]);
    return [...new Set(methods.flat())].sort();
  }
}

/** For a path as the route table spells it, or as Fastify does if the table lacks it. */
const patternOf = (path: string): RegExp => {
  const parts = path.split(/\{\w+\}|:\w+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
};

/** Collects the methods of all routes. Call before routes are registered. */
export const collectMethods = (server: FastifyInstance): AllowedMethods => {
  const allowed = new AllowedMethods();
  server.addHook('onRoute', ({ url, method, config }) => {
    allowed.add((config as EdgeConfig | undefined)?.spec?.path ?? url, [method].flat());
  });
  return allowed;
};
