import {
  CorrectRecord,
  DeleteRecord,
  ExplainRecord,
  ExtractionStatus,
  GetRecord,
  InsertRecords,
  ListRecords,
  ReinstateRecord,
  RequestExtraction,
  RequestRecordDeletion,
  SearchRecords,
  SubmitContent,
} from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { ExtractionController } from '../extraction/progress.controller.js';
import { BeliefController } from './belief.controller.js';
import { MakeRecordsController } from './make-records.controller.js';
import { RecordDeletionsController } from './record-deletions.controller.js';
import { RecordsController } from './records.controller.js';

export const recordsFeature: Feature = {
  controllers: [
    RecordsController,
    BeliefController,
    MakeRecordsController,
    RecordDeletionsController,
    ExtractionController,
  ],
  providers: (stores) => [
    { provide: SearchRecords, useValue: new SearchRecords(stores) },
    { provide: ListRecords, useValue: new ListRecords(stores) },
    { provide: GetRecord, useValue: new GetRecord(stores) },
    { provide: InsertRecords, useValue: new InsertRecords(stores) },
    { provide: CorrectRecord, useValue: new CorrectRecord(stores) },
    { provide: ReinstateRecord, useValue: new ReinstateRecord(stores) },
    { provide: ExplainRecord, useValue: new ExplainRecord(stores) },
    { provide: DeleteRecord, useValue: new DeleteRecord(stores) },
    { provide: RequestRecordDeletion, useValue: new RequestRecordDeletion(stores) },
    { provide: RequestExtraction, useValue: new RequestExtraction(stores) },
    { provide: SubmitContent, useValue: new SubmitContent(stores) },
    { provide: ExtractionStatus, useValue: new ExtractionStatus(stores) },
  ],
};
