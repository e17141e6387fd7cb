import { ExportMemory, ImportMemory } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { TransferController } from './transfer.controller.js';

export const transferFeature: Feature = {
  controllers: [TransferController],
  providers: (stores, _resources, limits) => [
    { provide: ExportMemory, useValue: new ExportMemory(stores) },
    { provide: ImportMemory, useValue: new ImportMemory({ ...stores, mostMemories: limits.mostOf('memories') }) },
  ],
};
