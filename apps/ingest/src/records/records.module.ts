import { Module } from '@nestjs/common';
import {
  CorrectRecord,
  DeleteRecord,
  ExplainRecord,
  GetRecord,
  InsertRecords,
  ListRecords,
  ReadProfile,
  ReinstateRecord,
  RequestExtraction,
  RequestRecordDeletion,
  SearchRecords,
  SubmitContent,
} from '@turnkeeper/application';
import { ExtractionModule } from '../extraction/extraction.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { useCases } from '@turnkeeper/runtime/nest';
import { BeliefController } from './belief.controller.js';
import { MakeRecordsController } from './make-records.controller.js';
import { RecordDeletionsController } from './record-deletions.controller.js';
import { RecordsController } from './records.controller.js';

@Module({
  imports: [ExtractionModule, LimitsModule],
  controllers: [RecordsController, BeliefController, MakeRecordsController, RecordDeletionsController],
  providers: useCases(
    SearchRecords,
    ListRecords,
    ReadProfile,
    GetRecord,
    InsertRecords,
    CorrectRecord,
    ReinstateRecord,
    ExplainRecord,
    DeleteRecord,
    RequestRecordDeletion,
    RequestExtraction,
    SubmitContent,
  ),
})
export class RecordsModule {}
