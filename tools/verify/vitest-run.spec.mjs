import { describe, expect, it } from 'vitest';
import { outcomeOf } from './vitest-run.mjs';

const report = (passed, failed, testResults = []) => ({
  numTotalTests: passed + failed,
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
});

describe('the outcome of a test run', () => {
  it('is good if all tests passed', () => {
    expect(outcomeOf(0, report(12, 0))).toEqual({ passed: 12, failed: 0, skipped: 0, ok: true });
  });
  it('is bad if one failed', () =>
    expect(outcomeOf(1, report(11, 1))).toMatchObject({ passed: 11, failed: 1, ok: false }));
  it('is bad if no test was found', () => expect(outcomeOf(0, report(0, 0))).toMatchObject({ failed: 1, ok: false }));
  it('is bad if a file could not be loaded', () => {
    const broken = [{ status: 'failed', assertionResults: [] }];
    expect(outcomeOf(1, report(5, 0, broken))).toMatchObject({ passed: 5, failed: 1, ok: false });
  });
  it('is bad if an error escaped although every test passed', () => {
    expect(outcomeOf(1, report(5, 0))).toMatchObject({ passed: 5, failed: 1, ok: false });
  });
  it('is bad if vitest wrote no report', () => {
    expect(outcomeOf(1, undefined)).toMatchObject({ passed: 0, failed: 1, ok: false });
  });
});
