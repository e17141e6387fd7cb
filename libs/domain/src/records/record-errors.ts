import { DomainError } from '../errors.js';

export class RecordNotFound extends DomainError {
  readonly code = 'record.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no such record.', {
      field: 'recordId',
      rule: 'must name a record of this memory',
      next: 'List the records of its namespace and use an id from there.',
    });
  }
}

export class RecordExists extends DomainError {
  readonly code = 'record.exists';
  readonly kind = 'conflict';
  constructor() {
    super('Another record of this namespace states this fact.', {
      field: 'memory',
      rule: 'must be a fact that no current record of the namespace states',
      next: 'Delete one of the two records.',
    });
  }
}
