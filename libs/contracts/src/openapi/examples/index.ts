import type { JsonSchema } from '../schemas.js';
import { REQUESTS, RESPONSES } from './operations.js';
import { synthesize } from './synthesize.js';

interface MediaType {
  readonly schema: JsonSchema;
  example?: unknown;
}
type Content = Readonly<Record<string, MediaType>>;
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** Adds an example to every request body and every 2xx response of these operations. */
export const addExamples = (
  operations: readonly JsonSchema[],
  components: Readonly<Record<string, JsonSchema>>,
): void => {
  for (const operation of operations) {
    const { operationId, requestBody, responses } = operation as unknown as Operation;
    for (const media of Object.values(requestBody?.content ?? {})) {
      media.example = REQUESTS[operationId] ?? synthesize(media.schema, components, { only: true });
    }
    for (const [status, { content = {} }] of Object.entries(responses)) {
      if (!status.startsWith('2')) continue;
      for (const media of Object.values(content)) {
        media.example = RESPONSES[operationId] ?? synthesize(media.schema, components);
      }
    }
  }
};
