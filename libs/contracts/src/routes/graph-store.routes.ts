import { graphStoreBody, graphStoreView } from '../http/graph-store.js';
import { routesOf } from './route.js';

const route = routesOf('Checkpoints');

export const batchGraphStore = route('batchGraphStore', 'POST', '/v1/memories/{memoryId}/graph-store:batch', {
  summary: "Read and write items of a memory's store for agent graphs; all writes or none.",
  scope: 'memory:write',
  body: graphStoreBody,
  response: graphStoreView,
});
