export { Memories } from './memories/list';
export { NewMemory } from './memories/create';
export { MemoryDetails } from './memories/details';
