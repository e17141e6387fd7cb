import { DomainError } from '../errors.js';

/** A line of an imported file cannot be taken. What came before it is there. */
export class ImportLineInvalid extends DomainError {
  readonly code = 'import.line_invalid';
  readonly kind = 'invalid';
  /** @param line counted from 1 */
  constructor(line: number, field: string, rule: string) {
    super(`Line ${line}: ${field || 'the line'} ${rule}.`, {
      title: 'A line of the file is not valid.',
      field,
      rule,
      next: 'Correct the line and send the whole file again: what is there already is not taken twice.',
      facts: { line },
    });
  }
}

/** The file ends before its last line. */
export class ImportCutOff extends DomainError {
  readonly code = 'import.cut_off';
  readonly kind = 'invalid';
  constructor() {
    super('The last line must count the events and records of the file, and agree with it.', {
      title: 'The file ends before its last line.',
      rule: 'must end with the line that counts events and records, and agree with it',
      next: 'Send the whole file again: what is there already is not taken twice.',
    });
  }
}
