import {
  activityQuery,
  activityView,
  parkedPage,
  parkedQuery,
  reconcileView,
  replayParkedQuery,
} from '../http/operations.js';
import { routesOf } from './route.js';

const route = routesOf('Administration', { scope: 'admin', userData: 'operator' });
const parked = '/v1/admin/parked';

export const listParkedWork = route('listParkedWork', 'GET', parked, {
  summary: 'List parked items of all tenants, oldest first.',
  query: parkedQuery,
  response: parkedPage,
});

export const replayParkedWork = route('replayParkedWork', 'POST', `${parked}/{parkedId}/replay`, {
  summary: 'Replay a parked item with a full set of attempts.',
  query: replayParkedQuery,
  status: 202,
  response: null,
  refusals: ['parked.not_found', 'parked.not_replayable', 'webhook_endpoint.disabled'],
});

export const dropParkedWork = route('dropParkedWork', 'DELETE', `${parked}/{parkedId}`, {
  summary: 'Drop a parked item for good. A dropped extraction window is never extracted. Repeatable.',
  status: 204,
  response: null,
  refusals: ['parked.not_found'],
});

export const reconcileStream = route('reconcileStream', 'POST', '/v1/admin/reconcile', {
  summary: 'Compare the JetStream stream with the log and republish what is missing.',
  response: reconcileView,
  refusals: ['broker.unavailable'],
});

export const getActivity = route('getActivity', 'GET', '/v1/admin/activity', {
  summary: 'Get the activity of the installation in the last hour: append rate, lags, due and parked work, webhooks.',
  query: activityQuery,
  response: activityView,
});
