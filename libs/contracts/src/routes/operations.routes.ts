import {
  activityQuery,
  activityView,
  parkedPage,
  parkedQuery,
  reconcileView,
  replayParkedQuery,
} from '../http/operations.js';
import { route } from './route.js';

const tag = 'Administration';
const scope = 'admin';
const parked = '/v1/admin/parked';

export const listParkedWork = route({
  id: 'listParkedWork',
  method: 'GET',
  path: parked,
  tag,
  summary: 'List parked items of all tenants, oldest first.',
  scope,
  query: parkedQuery,
  status: 200,
  response: parkedPage,
});

export const replayParkedWork = route({
  id: 'replayParkedWork',
  method: 'POST',
  path: `${parked}/{parkedId}/replay`,
  tag,
  summary: 'Replay a parked item with a full set of attempts.',
  scope,
  query: replayParkedQuery,
  status: 202,
  response: null,
  refusals: ['parked.not_found', 'parked.not_replayable'],
});

export const dropParkedWork = route({
  id: 'dropParkedWork',
  method: 'DELETE',
  path: `${parked}/{parkedId}`,
  tag,
  summary: 'Drop a parked item for good. A dropped extraction window is never extracted. Repeatable.',
  scope,
  status: 204,
  response: null,
  refusals: ['parked.not_found'],
});

export const reconcileStream = route({
  id: 'reconcileStream',
  method: 'POST',
  path: '/v1/admin/reconcile',
  tag,
  summary: 'Compare the JetStream stream with the log and republish what is missing.',
  scope,
  status: 200,
  response: reconcileView,
  refusals: ['broker.unavailable'],
});

export const getActivity = route({
  id: 'getActivity',
  method: 'GET',
  path: '/v1/admin/activity',
  tag,
  summary: 'Get the activity of the installation in the last hour: append rate, lags, due and parked work, webhooks.',
  scope,
  query: activityQuery,
  status: 200,
  response: activityView,
});
