import * as application from '@turnkeeper/application';
import * as contracts from '@turnkeeper/contracts';
import * as domain from '@turnkeeper/domain';
import { DomainError } from '@turnkeeper/domain';
import { RUNTIME_HEADERS, vendorAppErrors } from '@turnkeeper/vendors';
import * as auth from '../auth/auth-errors.js';
import * as chat from '../chat/chat-errors.js';
import * as edge from '../edge/edge-errors.js';
import { JSON_LIMITS } from '../edge/json-shape.js';
import * as cursor from '../http/cursor.js';
import * as etag from '../http/etag.js';
import * as mcp from '../mcp/mcp-errors.js';
import { PLAIN_PROBLEMS, problemOf, type Problem } from '../http/problem.js';
import { escapeHtml, pageOf, proseOf } from './html.js';

type ErrorClass = new (...values: readonly unknown[]) => DomainError;

/** Sample constructor arguments for classes whose text depends on them. */
const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  AgentNotRunning: ['STOPPED'],
  ChatSubjectMissing: ['actor'],
  BodyTooComplex: [JSON_LIMITS.values],
  BodyTooDeep: [64],
  KeyRepeated: [['payload', 'message']],
  InvalidPayload: ['body', [{ field: 'payload.message', rule: 'must have at most 100,000 characters' }]],
  ImportLineInvalid: [1, 'payload.message', 'is required'],
  InvalidMessage: ['toolCallId', 'may only be sent with the role tool'],
  MissingScope: ['memory:write'],
  RateLimited: [1],
  TooManyFailures: [1],
  TooManyConnectors: [1_000],
  TooManyKeys: [1_000],
  TooManyMappings: [1_000_000],
  TooManyMemories: [10_000],
  TooManyRecordDeletions: [100],
  TooManyVendorAgents: [10_000],
  TooManyWebhookEndpoints: [20],
  TooMuchDueWork: [100_000],
  RuntimeHeadersMissing: [RUNTIME_HEADERS.user],
  RuntimeUserDiffers: ['actorId'],
  NamespaceNeeds: ['actorId'],
  ImportIdTaken: ['recordId'],
  SequenceConflict: [7],
  UnknownNamespaceVariable: ['namespaceTemplate'],
  AdjacentNamespaceVariables: ['namespaceTemplate'],
  OutputSchemaNotTaken: ['outputSchema'],
  WebhookSecretRefused: ['must have 1 to 255 printable ASCII characters'],
  WebhookUrlRefused: ['must begin with https://'],
};

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === 'function' && value.prototype instanceof DomainError;

/** Every error that a client can get, one problem per code, sorted by code. */
export const errorCatalogue = (): Problem[] => {
  const classes = [domain, contracts, application, vendorAppErrors, auth, edge, cursor, etag, mcp, chat].flatMap(
    (module) => Object.values(module).filter(isErrorClass),
  );
  const problems = [...classes.map((Class) => problemOf(new Class(...(SAMPLES[Class.name] ?? [])))), ...PLAIN_PROBLEMS];
  return [...new Map(problems.map((problem) => [problem.code, problem])).values()].sort((a, b) =>
    a.code < b.code ? -1 : 1,
  );
};

const INTRODUCTION = [
  'Every error response is a problem document (RFC 9457, `application/problem+json`). `code` is stable: act on it. `title` is the same for every occurrence of a code; `detail` says what is wrong with this request, and `next` what to do. `type` opens the entry of the code on the server itself, under `/docs/errors`. No response repeats a rejected value.',
  'Every response has the id of its request in the header `X-Request-Id`. A problem document repeats it as `requestId` and in `instance`, and the request is logged with it.',
  'A `429` and a `503` have `Retry-After`. After a `503` or `500` an append may or may not have been stored: send it again with the same `Idempotency-Key` or event ids, and the first response is returned if it was.',
];

const COLUMNS = ['code', 'status', 'title', 'detail, for example', 'what to do'] as const;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const cellsOf = ({ code, status, title, detail, next }: Problem): readonly string[] => [
  `\`${code}\``,
  String(status),
  title,
  text(detail),
  text(next),
];

/** The catalogue as a Markdown page with an anchor per code. */
export const errorsMarkdown = (): string => {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    '# Errors',
    '<!-- Generated from the error classes by `npm run docs`; a test compares the two. -->',
    ...INTRODUCTION,
    [
      row(COLUMNS),
      row(COLUMNS.map(() => '---')),
      ...errorCatalogue().map((problem) => {
        const [code = '', ...rest] = cellsOf(problem);
        return row([`<a id="${problem.code}"></a>${code}`, ...rest]);
      }),
    ].join('\n'),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
};

/** The catalogue as an HTML page: the target of a problem's `type`. */
export const errorsPage = (): string => {
  const row = (problem: Problem): string =>
    `<tr id="${escapeHtml(problem.code)}">${cellsOf(problem)
      .map((cell) => `<td>${proseOf(cell)}</td>`)
      .join('')}</tr>`;
  return pageOf(
    'Errors',
    `<h1>Errors</h1>${INTRODUCTION.map((paragraph) => `<p>${proseOf(paragraph)}</p>`).join('')}
<div class="wide"><table><tr>${COLUMNS.map((name) => `<th>${name}</th>`).join('')}</tr>
${errorCatalogue().map(row).join('\n')}</table></div><p><a href="/docs">API reference</a></p>`,
  );
};
