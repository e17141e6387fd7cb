import { recordExplanationView } from '../http/record-explanation.js';
import { recordView } from '../http/record-views.js';
import { routesOf } from './route.js';

const route = routesOf('Records');
const record = '/memory/memories/{memoryId}/memory-records/{recordId}';

export const explainRecord = route('explainRecord', 'GET', `${record}/explain`, {
  summary: 'Explain a record: source events and quotes, extraction runs with prompt and raw answer, supersessions.',
  scope: 'memory:read',
  response: recordExplanationView,
  refusals: ['record.not_found'],
});

export const reinstateRecord = route('reinstateRecord', 'POST', `${record}:reinstate`, {
  summary: 'Reinstate a superseded record. The record that superseded it stays current too.',
  scope: 'memory:write',
  response: recordView,
  refusals: ['record.not_found', 'record.exists'],
});
