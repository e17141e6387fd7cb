import { refusal } from '../errors.js';

export class RecordNotFound extends refusal('record.not_found', 'not_found', {
  message: 'There is no such record.',
  field: 'recordId',
  rule: 'must name a record of this memory',
  next: 'List the records of its namespace and use an id from there.',
}) {}

export class RecordExists extends refusal('record.exists', 'conflict', {
  message: 'Another record in this namespace states the same fact.',
  field: 'memory',
  rule: 'must be a fact that no current record of the namespace states',
  next: 'Delete one of the two records.',
}) {}

export class RecordDeletionNotFound extends refusal('record_deletion.not_found', 'not_found', {
  message: 'There is no such deletion of records.',
  field: 'deletionId',
  rule: 'must name a deletion of this memory from the last 30 days',
  next: 'List the deletions with GET /v1/memories/{memoryId}/record-deletions.',
}) {}

export class TooManyRecordDeletions extends refusal('record_deletion.too_many', 'limited', (most: number) => ({
  message: `The tenant has ${most} unfinished deletions of records, the maximum.`,
  title: 'Too many deletions of records are unfinished.',
  next: 'Wait until some of them are finished, then send the request again.',
})) {}
