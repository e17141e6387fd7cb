import { z } from 'zod';

/** RFC 9457 problem details with our stable `code`. Never holds the offending value. */
export const problemView = z
  .looseObject({
    type: z.string().describe('`urn:turnkeeper:error:<code>`'),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable, `<noun>.<why>`; docs/errors.md lists them.'),
    field: z.string().optional().describe('Path of the field at fault.'),
    rule: z.string().optional().describe('The rule that said no.'),
    next: z.string().optional().describe('What to do next.'),
    issues: z
      .array(z.object({ field: z.string(), rule: z.string() }))
      .optional()
      .describe('Every field at fault, at most 20.'),
  })
  .meta({ id: 'Problem' });
