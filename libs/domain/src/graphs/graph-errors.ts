import { refusal } from '../errors.js';

export class CheckpointNotFound extends refusal('checkpoint.not_found', 'not_found', {
  message: 'There is no such checkpoint.',
  field: 'checkpointId',
  rule: 'must name a checkpoint of this session and namespace',
  next: 'Search the checkpoints of the session and use an id from there.',
}) {}
