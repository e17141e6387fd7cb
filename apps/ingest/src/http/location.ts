import type { FastifyInstance, preSerializationHookHandler } from 'fastify';
import type { EdgeConfig } from '../edge/route-config.js';

/** Fills in the template's names: path parameters of the request first, then response fields. */
export const locationOf = (
  template: string,
  params: Readonly<Record<string, string>>,
  answer: Readonly<Record<string, unknown>>,
): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? answer[name])));

/** Sends `Location` on routes whose spec names the URL of what they create. Call before routes are registered. */
export const sendLocations = (server: FastifyInstance): void => {
  server.addHook('onRoute', (route) => {
    const template = (route.config as EdgeConfig | undefined)?.spec?.location;
    if (template === undefined) return;
    const send: preSerializationHookHandler = (request, reply, payload, done) => {
      const params = request.params as Readonly<Record<string, string>>;
      if (reply.statusCode < 300) {
        void reply.header('location', locationOf(template, params, payload as Readonly<Record<string, unknown>>));
      }
      done(null, payload);
    };
    route.preSerialization = [send, ...[route.preSerialization ?? []].flat()];
  });
};
