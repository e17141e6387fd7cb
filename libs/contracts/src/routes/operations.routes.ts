import { parkedPage, parkedQuery, reconcileView, replayParkedQuery } from '../http/operations.js';
import { route } from './route.js';

const tag = 'Administration';
const scope = 'admin';
const parked = '/v1/admin/parked';

export const listParkedWork = route({
  id: 'listParkedWork',
  method: 'GET',
  path: parked,
  tag,
  summary: 'Lists what was set aside after its attempts were used up, of all tenants, oldest first.',
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
  summary: 'Tries a parked item again, with all its attempts before it.',
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
  summary: 'Takes a parked item off the list for good; a window of an extraction is given up. Repeatable.',
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
  summary: 'Compares the JetStream stream with the log and publishes again what is missing.',
  scope,
  status: 200,
  response: reconcileView,
  refusals: ['broker.unavailable'],
});
