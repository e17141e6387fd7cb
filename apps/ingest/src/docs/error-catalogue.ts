import * as application from '@turnkeeper/application';
import * as contracts from '@turnkeeper/contracts';
import * as domain from '@turnkeeper/domain';
import { DomainError } from '@turnkeeper/domain';
import * as auth from '../auth/auth-errors.js';
import { PLAIN_PROBLEMS, problemOf, type Problem } from '../http/problem.filter.js';

type ErrorClass = new (...values: readonly unknown[]) => DomainError;

/** What a class needs to be made, where its text names something. */
const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  AgentNotRunning: ['STOPPED'],
  InvalidPayload: ['event', [{ field: 'payload.message', rule: 'must have at most 100,000 characters' }]],
  ImportLineInvalid: [1, 'field', 'a rule'],
  InvalidMessage: ['role', 'a rule'],
  MissingScope: ['memory:write'],
  RateLimited: [1],
  RuntimeHeadersMissing: ['X-GreenNode-AgentBase-User-Id'],
  RuntimeUserDiffers: ['actorId'],
  NamespaceNeeds: ['actorId'],
  SequenceConflict: [7],
  UnknownNamespaceVariable: ['namespaceTemplate'],
  AdjacentNamespaceVariables: ['namespaceTemplate'],
  WebhookSecretRefused: ['a rule'],
  WebhookUrlRefused: ['a rule'],
};

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === 'function' && value.prototype instanceof DomainError;

/** Every refusal that a client of the API can get, one problem per code, sorted by code. */
export const errorCatalogue = (): Problem[] => {
  const classes = [domain, contracts, application, auth].flatMap((module) =>
    Object.values(module).filter(isErrorClass),
  );
  const problems = [...classes.map((Class) => problemOf(new Class(...(SAMPLES[Class.name] ?? [])))), ...PLAIN_PROBLEMS];
  return [...new Map(problems.map((problem) => [problem.code, problem])).values()].sort((a, b) =>
    a.code < b.code ? -1 : 1,
  );
};

const cell = (value: unknown): string => (typeof value === 'string' ? value.replaceAll('|', '\\|') : '');

/** The catalogue as a page of Markdown. */
export const errorsMarkdown = (): string =>
  [
    '# Errors',
    '',
    '<!-- Made from the error classes by `npm run docs`; a test compares the two. -->',
    '',
    'Every refusal is a problem document (RFC 9457, `application/problem+json`). `code` is stable: act on it. The rest',
    'is for people and may change. No answer repeats the value that was refused.',
    '',
    'A `429` and a `503` carry `Retry-After`. After a `503` or `500` an append may or may not have been stored: send it',
    'again with the same `Idempotency-Key` or event ids, and the first answer comes back if it was.',
    '',
    '| code | status | what it says | field | rule | what to do |',
    '| --- | --- | --- | --- | --- | --- |',
    ...errorCatalogue().map(({ code, status, title, field, rule, next }) => {
      const cells = [`\`${code}\``, String(status), cell(title), field === undefined ? '' : `\`${cell(field)}\``];
      return `| ${[...cells, cell(rule), cell(next)].join(' | ')} |`;
    }),
    '',
  ].join('\n');
