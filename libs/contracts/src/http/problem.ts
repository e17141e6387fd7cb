import { z } from 'zod';

/** RFC 9457 problem details with a stable `code`. Never contains the offending value. */
export const problemView = z
  .looseObject({
    type: z.string().describe('`/docs/errors#<code>`: the description of the code on this server.'),
    title: z.string().describe('The same for every occurrence of the code.'),
    status: z.int(),
    detail: z.string().optional().describe('What is wrong with this request.'),
    instance: z.string().optional().describe('`urn:uuid:<requestId>`'),
    requestId: z.string().optional().describe('Also in the `X-Request-Id` header and in the log.'),
    code: z.string().describe('Stable code, `<noun>.<reason>`; docs/errors.md lists all of them.'),
    field: z.string().optional().describe('Path of the invalid field, as sent.'),
    rule: z.string().optional().describe('The violated rule.'),
    next: z.string().optional().describe('What to do next.'),
    issues: z
      .array(z.object({ field: z.string(), rule: z.string() }))
      .optional()
      .describe('All invalid fields, at most 20.'),
  })
  .meta({ id: 'Problem' });
