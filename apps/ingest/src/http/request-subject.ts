import type { FastifyRequest } from 'fastify';

/** Called every few seconds; not worth a log line or a trace. */
export const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics', '/status']);

/** The form of ids. A path can contain any other text, which must not reach logs or traces. */
const ID = /^[\w.:@-]{1,128}$/;

/** Memory and session of an answered request, for logs and traces. None if it was rejected: they may not exist. */
export const subjectOf = (
  { params }: FastifyRequest,
  status: number,
): { readonly memoryId?: string | undefined; readonly sessionId?: string | undefined } => {
  if (status >= 400 && status < 500) return {};
  const { memoryId, sessionId } = (params ?? {}) as Readonly<Record<string, string | undefined>>;
  return { memoryId: idOf(memoryId), sessionId: idOf(sessionId) };
};

const idOf = (text: string | undefined): string | undefined => (text !== undefined && ID.test(text) ? text : undefined);
