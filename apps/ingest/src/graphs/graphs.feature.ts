import { GraphCheckpoints } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { CheckpointsController } from './checkpoints.controller.js';
import { GRAPH_ITEMS, GraphStoreController } from './graph-store.controller.js';

export const graphsFeature: Feature = {
  controllers: [CheckpointsController, GraphStoreController],
  providers: (stores) => [
    { provide: GraphCheckpoints, useValue: new GraphCheckpoints(stores) },
    { provide: GRAPH_ITEMS, useValue: stores.graphItems },
  ],
};
