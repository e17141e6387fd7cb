import { Module } from '@nestjs/common';
import { GraphCheckpoints } from '@turnkeeper/application';
import { useCases } from '@turnkeeper/runtime/nest';
import { CheckpointsController } from './checkpoints.controller.js';
import { GraphStoreController } from './graph-store.controller.js';

@Module({ controllers: [CheckpointsController, GraphStoreController], providers: useCases(GraphCheckpoints) })
export class GraphsModule {}
