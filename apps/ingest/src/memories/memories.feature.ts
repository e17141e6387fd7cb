import { CreateMemory } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { MEMORY_STORE } from '../tokens.js';
import { MemoriesController } from './memories.controller.js';

export const memoriesFeature: Feature = {
  controllers: [MemoriesController],
  providers: (stores) => [
    { provide: MEMORY_STORE, useValue: stores.memories },
    { provide: CreateMemory, useValue: new CreateMemory(stores) },
  ],
};
