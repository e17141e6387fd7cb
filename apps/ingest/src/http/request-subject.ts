import type { FastifyRequest } from 'fastify';

/** Called every few seconds; not worth a log line or a trace. */
export const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics', '/status']);

/** Longest id in logs and traces; ids are shorter, but the path of a refused request can be anything. */
const MOST_CHARACTERS = 128;

/** Memory and session in the path of a request, for logs and traces. */
export const subjectOf = ({
  params,
}: FastifyRequest): { readonly memoryId: string | undefined; readonly sessionId: string | undefined } => {
  const { memoryId, sessionId } = (params ?? {}) as Readonly<Record<string, string | undefined>>;
  return { memoryId: memoryId?.slice(0, MOST_CHARACTERS), sessionId: sessionId?.slice(0, MOST_CHARACTERS) };
};
