import { DomainError } from '../errors.js';

export class CheckpointNotFound extends DomainError {
  readonly code = 'checkpoint.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such checkpoint.', {
      field: 'checkpointId',
      rule: 'must name a checkpoint of this session and namespace',
      next: 'Search the checkpoints of the session and use an id from there.',
    });
  }
}
