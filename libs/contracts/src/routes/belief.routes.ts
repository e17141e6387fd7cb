import { recordExplanationView } from '../http/record-explanation.js';
import { recordView } from '../http/record-views.js';
import { route } from './route.js';

const tag = 'Records';
const record = '/memory/memories/{memoryId}/memory-records/{recordId}';

export const explainRecord = route({
  id: 'explainRecord',
  method: 'GET',
  path: `${record}/explain`,
  tag,
  summary: 'Explain a record: source events and quotes, extraction runs with prompt and raw answer, supersessions.',
  scope: 'memory:read',
  status: 200,
  response: recordExplanationView,
  refusals: ['record.not_found'],
});

export const reinstateRecord = route({
  id: 'reinstateRecord',
  method: 'POST',
  path: `${record}:reinstate`,
  tag,
  summary: 'Reinstate a superseded record beside the record that superseded it.',
  scope: 'memory:write',
  status: 200,
  response: recordView,
  refusals: ['record.not_found', 'record.exists'],
});
