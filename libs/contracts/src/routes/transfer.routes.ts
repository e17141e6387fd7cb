import { z } from 'zod';
import { importedView, importQuery } from '../transfer/lines.js';
import { routesOf } from './route.js';

const route = routesOf('Export and import');

export const exportMemory = route('exportMemory', 'GET', '/v1/memories/{memoryId}/export', {
  summary: 'Export a memory as JSON Lines: strategies, conversations, records with their sources.',
  scope: 'memory:export',
  response: z.string().describe('One JSON object per line; the last one is `{"kind":"end",…}`.'),
  responseType: 'application/x-ndjson',
});

export const importMemory = route('importMemory', 'POST', '/v1/memories:import', {
  summary: 'Import an exported memory. Sending the same file again resumes an interrupted import.',
  scope: 'memory:import',
  query: importQuery,
  body: z.string().describe('JSON Lines, as exported.'),
  bodyType: 'application/x-ndjson',
  response: importedView,
  refusals: ['import.line_invalid', 'import.cut_off', 'memory.exists'],
});
