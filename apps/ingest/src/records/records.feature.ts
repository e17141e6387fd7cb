import {
  CorrectRecord,
  DeleteRecord,
  ExtractionStatus,
  GetRecord,
  InsertRecords,
  ListRecords,
  RequestExtraction,
  SearchRecords,
  SubmitContent,
} from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { ExtractionController } from '../extraction/progress.controller.js';
import { MakeRecordsController } from './make-records.controller.js';
import { RecordsController } from './records.controller.js';

export const recordsFeature: Feature = {
  controllers: [RecordsController, MakeRecordsController, ExtractionController],
  providers: (stores) => [
    { provide: SearchRecords, useValue: new SearchRecords(stores) },
    { provide: ListRecords, useValue: new ListRecords(stores) },
    { provide: GetRecord, useValue: new GetRecord(stores) },
    { provide: InsertRecords, useValue: new InsertRecords(stores) },
    { provide: CorrectRecord, useValue: new CorrectRecord(stores) },
    { provide: DeleteRecord, useValue: new DeleteRecord(stores) },
    { provide: RequestExtraction, useValue: new RequestExtraction(stores) },
    { provide: SubmitContent, useValue: new SubmitContent(stores) },
    { provide: ExtractionStatus, useValue: new ExtractionStatus(stores) },
  ],
};
