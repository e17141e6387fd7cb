import { apiDocument, DOCUMENTED_ROUTES } from '@turnkeeper/vendors';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

interface Operation {
  readonly pattern: RegExp;
  readonly path: string;
  readonly method: string;
  readonly status: number;
  /** Number of literal characters in the path: of two matching paths, the more specific one applies. */
  readonly exactness: number;
}

const OPERATIONS: readonly Operation[] = DOCUMENTED_ROUTES.map(({ path, method, status }) => {
  const parts = path.split(/\{\w+\}/);
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { path, method, status, pattern: new RegExp(`^${escaped.join('[^/]+')}$`), exactness: parts.join('').length };
}).sort((a, b) => b.exactness - a.exactness);

const DOCUMENT = 'openapi.json';
const DOCUMENTED = apiDocument() as {
  readonly paths: Record<string, Record<string, { readonly responses: Record<number, { readonly $ref?: string }> }>>;
};
let ajv: Ajv2020 | null = null;
const validators = new Map<string, ValidateFunction | null>();

const compiled = (operation: Operation, status: number, type: string): ValidateFunction | null => {
  const { path, method } = operation;
  const key = `${method} ${path} ${status} ${type}`;
  const known = validators.get(key);
  if (known !== undefined) return known;
  ajv ??= new Ajv2020({ strict: false, allErrors: true, formats: fullFormats }).addSchema(DOCUMENTED, DOCUMENT);
  const at = ['paths', path, method.toLowerCase(), 'responses', String(status)];
  const response = DOCUMENTED.paths[path]?.[method.toLowerCase()]?.responses[status];
  const steps = [...(response?.$ref?.split('/').slice(1) ?? at), 'content', type, 'schema'];
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv.getSchema(`${DOCUMENT}#/${pointer}`) ?? null;
  validators.set(key, validate);
  return validate;
};

/**
 * Differences between a response and the OpenAPI document; empty if there are none, and for paths outside the document
 * (health, pages).
 */
export const differences = (
  method: string,
  url: string,
  { status, contentType, body }: { readonly status: number; readonly contentType: string; readonly body: unknown },
): readonly string[] => {
  const path = url.split('?', 1)[0] ?? '';
  const operation = OPERATIONS.find((one) => one.method === method && one.pattern.test(path));
  if (operation === undefined || status === 304) return [];
  const isRefusal = status >= 400;
  if (!isRefusal && status !== operation.status) return [`status ${status}, documented is ${operation.status}`];
  const [type = ''] = contentType.split(';', 1);
  if (type === '') return body === null ? [] : ['a body without a type'];
  // Errors have one schema everywhere; a route's statuses follow from its errors.
  const validate = compiled(operation, isRefusal ? 400 : status, type);
  if (validate === null) return [`${type} is not documented for status ${status}`];
  // The schema of a stream is that of each event's data.
  const values = type === 'text/event-stream' ? (body as readonly unknown[]) : [body];
  return values.flatMap((value) =>
    validate(value) === true
      ? []
      : (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`),
  );
};
