import { graphStoreBody, graphStoreView } from '../http/graph-store.js';
import { route } from './route.js';

export const batchGraphStore = route({
  id: 'batchGraphStore',
  method: 'POST',
  path: '/v1/memories/{memoryId}/graph-store:batch',
  tag: 'Checkpoints',
  summary: "Read and write items of a memory's store for agent graphs; all writes or none.",
  scope: 'memory:write',
  body: graphStoreBody,
  status: 200,
  response: graphStoreView,
});
