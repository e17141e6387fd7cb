import { z } from 'zod';
import { importedView, importQuery } from '../transfer/lines.js';
import { route } from './route.js';

const tag = 'Export and import';

export const exportMemory = route({
  id: 'exportMemory',
  method: 'GET',
  path: '/v1/memories/{memoryId}/export',
  tag,
  summary: 'Export a memory as lines of JSON: strategies, conversations, records with their sources.',
  scope: 'memory:read',
  status: 200,
  response: z.string().describe('One JSON object per line; the last one is `{"kind":"end",…}`.'),
  responseType: 'application/x-ndjson',
});

export const importMemory = route({
  id: 'importMemory',
  method: 'POST',
  path: '/v1/memories:import',
  tag,
  summary: 'Import an exported memory. Sending the same file again resumes an interrupted import.',
  scope: 'memory:write',
  query: importQuery,
  body: z.string().describe('Lines of JSON, as the export gives them.'),
  bodyType: 'application/x-ndjson',
  status: 200,
  response: importedView,
  refusals: ['import.line_invalid', 'import.cut_off', 'memory.exists'],
});
