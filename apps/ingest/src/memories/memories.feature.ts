import {
  AddStrategy,
  ChangeMemory,
  ChangeStrategy,
  CreateMemory,
  DeleteMemory,
  DeleteStrategy,
} from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { MEMORY_STORE } from '../tokens.js';
import { MemoriesController } from './memories.controller.js';
import { StrategiesController } from './strategies.controller.js';

export const memoriesFeature: Feature = {
  controllers: [MemoriesController, StrategiesController],
  providers: (stores, _resources, limits) => [
    { provide: MEMORY_STORE, useValue: stores.memories },
    { provide: CreateMemory, useValue: new CreateMemory({ ...stores, mostMemories: limits.mostOf('memories') }) },
    { provide: ChangeMemory, useValue: new ChangeMemory(stores) },
    { provide: DeleteMemory, useValue: new DeleteMemory(stores) },
    { provide: AddStrategy, useValue: new AddStrategy(stores) },
    { provide: ChangeStrategy, useValue: new ChangeStrategy(stores) },
    { provide: DeleteStrategy, useValue: new DeleteStrategy(stores) },
  ],
};
