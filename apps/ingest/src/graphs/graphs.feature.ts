import { GraphCheckpoints } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { CheckpointsController } from './checkpoints.controller.js';

export const graphsFeature: Feature = {
  controllers: [CheckpointsController],
  providers: (stores) => [{ provide: GraphCheckpoints, useValue: new GraphCheckpoints(stores) }],
};
