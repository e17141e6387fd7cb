import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { PLACEHOLDER, transferLine, webhookMessageViews, type RouteSpec } from '@turnkeeper/contracts';
import { apiDocument, DOCUMENTED_ROUTES } from '@turnkeeper/vendors';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';

interface Media {
  readonly example?: unknown;
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const document = apiDocument();
const paths = document['paths'] as Paths;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats }).addSchema(document, 'openapi.json');
const pointerTo = (...steps: readonly string[]): string =>
  `openapi.json#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

interface Example {
  readonly where: string;
  readonly pointer: string;
  readonly type: string;
  readonly media: Media;
  /** The schema that reads the request; null for responses. */
  readonly body: z.ZodType | null;
}
const examplesOf = ({ id, method, path, body, status }: RouteSpec): Example[] => {
  const operation = paths[path]![method.toLowerCase()]!;
  const at = ['paths', path, method.toLowerCase()];
  return [
    ...Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) => ({
      where: `${id}: request`,
      pointer: pointerTo(...at, 'requestBody', 'content', type, 'schema'),
      type,
      media,
      body: body ?? null,
    })),
    ...Object.entries(operation.responses[status]!.content ?? {}).map(([type, media]) => ({
      where: `${id}: ${status}`,
      pointer: pointerTo(...at, 'responses', String(status), 'content', type, 'schema'),
      type,
      media,
      body: null,
    })),
  ];
};

const webhookExamples: Example[] = Object.entries(document['webhooks'] as Paths).map(([event, { post }]) => ({
  where: `webhook ${event}`,
  pointer: pointerTo('webhooks', event, 'post', 'requestBody', 'content', 'application/json', 'schema'),
  type: 'application/json',
  media: post!.requestBody!.content['application/json']!,
  body: webhookMessageViews[event as keyof typeof webhookMessageViews],
}));

/** Paths of texts that no value was chosen for. `type: text` is MCP's. */
const placeholders = (value: unknown, path = ''): string[] => {
  if (value === PLACEHOLDER) return path.endsWith('.type') ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => placeholders(inner, `${path}.${key}`));
};

describe('examples of the OpenAPI document', () => {
  const all = [...DOCUMENTED_ROUTES.flatMap(examplesOf), ...webhookExamples].map(
    (example) => [example.where, example] as const,
  );

  it.each(all)('%s', (_, { pointer, type, media: { example }, body }) => {
    expect(example).toBeDefined();
    expect(placeholders(example)).toEqual([]);
    const validate = ajv.getSchema(pointer)!;
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    // Also rules that the document's schema cannot express.
    const parsed = type === 'application/x-ndjson' ? linesOf(String(example)) : [body?.safeParse(example)];
    expect(parsed.flatMap((result) => result?.error?.issues ?? [])).toEqual([]);
  });
});

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => transferLine.safeParse(JSON.parse(line)));
