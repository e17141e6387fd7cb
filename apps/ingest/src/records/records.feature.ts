import { ExtractionStatus, ListRecords, RequestExtraction, SearchRecords } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { ExtractionController } from './extraction.controller.js';
import { RecordsController } from './records.controller.js';

export const recordsFeature: Feature = {
  controllers: [RecordsController, ExtractionController],
  providers: (stores) => [
    { provide: SearchRecords, useValue: new SearchRecords(stores) },
    { provide: ListRecords, useValue: new ListRecords(stores) },
    { provide: RequestExtraction, useValue: new RequestExtraction(stores) },
    { provide: ExtractionStatus, useValue: new ExtractionStatus(stores) },
  ],
};
