import type { FastifyRequest } from 'fastify';

/** Called every few seconds; not worth a log line or a trace. */
export const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics', '/status']);

/** What clients use as ids. The path of a refused request can be anything, and must not reach logs or traces. */
const ID = /^[\w.:@-]{1,128}$/;

/** Memory and session in the path of a request, for logs and traces. */
export const subjectOf = ({
  params,
}: FastifyRequest): { readonly memoryId: string | undefined; readonly sessionId: string | undefined } => {
  const { memoryId, sessionId } = (params ?? {}) as Readonly<Record<string, string | undefined>>;
  return { memoryId: idOf(memoryId), sessionId: idOf(sessionId) };
};

const idOf = (text: string | undefined): string | undefined => (text !== undefined && ID.test(text) ? text : undefined);
