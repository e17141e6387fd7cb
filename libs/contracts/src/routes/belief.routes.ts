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
  summary: 'Tells why a record is believed: events and quotes, runs with prompt and raw answer, what took whose place.',
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
  summary: 'Makes a superseded record current again, beside the one that had taken its place.',
  scope: 'memory:write',
  status: 200,
  response: recordView,
  refusals: ['record.not_found', 'record.exists'],
});
