import { systemIds } from '@turnkeeper/platform';
import type { Socket } from 'node:net';
import { CLIENT_PROBLEMS, type Problem } from '../http/problem.js';

const PROBLEM_OF: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: CLIENT_PROBLEMS.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: CLIENT_PROBLEMS.late,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: CLIENT_PROBLEMS.bodyTooLarge,
};
const REASON: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

/** Answers requests that Node could not parse with a problem document, and closes the connection. */
export const answerClientError = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = PROBLEM_OF[error.code ?? ''] ?? CLIENT_PROBLEMS.invalid;
  const requestId = systemIds.next();
  const body = JSON.stringify({ ...problem, instance: `urn:uuid:${requestId}`, requestId });
  const head = [
    `HTTP/1.1 ${problem.status} ${REASON[problem.status] ?? 'Bad Request'}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroySoon());
};
