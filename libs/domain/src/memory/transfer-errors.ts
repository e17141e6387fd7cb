import { refusal } from '../errors.js';

/**
 * A line of an imported file is invalid. The lines before it have been imported.
 *
 * @param line one-based
 */
export class ImportLineInvalid extends refusal(
  'import.line_invalid',
  'invalid',
  (line: number, field: string, rule: string) => ({
    message: `Line ${line}: ${field || 'the line'} ${rule}.`,
    title: 'A line of the file is not valid.',
    field,
    rule,
    next: 'Correct the line and send the whole file again; what was imported already is not duplicated.',
    facts: { line },
  }),
) {}

/**
 * An id in the file cannot be kept: the tenant uses the record's id in another memory, or the id of the memory or of a
 * strategy is in use in this installation. Says no more, because the id may be another tenant's.
 *
 * @param field which id, e.g. `recordId`
 */
export class ImportIdTaken extends refusal('import.id_taken', 'conflict', (field: string) => ({
  message: `A ${field} in the file cannot be kept here.`,
  title: 'An id in the file cannot be kept.',
  field,
  rule: 'must be an id that can be kept here',
  next: 'Send the file with ids=new, which assigns new ids.',
})) {}

/** The file is truncated: its last line is missing. */
export class ImportCutOff extends refusal('import.cut_off', 'invalid', {
  message: 'The last line must contain the counts of the events and records in the file.',
  title: 'The file ends before its last line.',
  rule: 'must end with the line that counts events and records, and agree with it',
  next: 'Send the whole file again; what was imported already is not duplicated.',
}) {}
