import type { Job } from '@turnkeeper/application';
import { deliverJob, extractJob } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { collectHandlers, definitionOf, JOB_NAMES, JOBS, QUEUES, readJob, type HandlerEntry } from './job-registry.js';

const samples: readonly Job[] = [
  extractJob(12, '0190c3b2-7f00-7000-8000-000000000001'),
  deliverJob(),
  { name: 'sweep' },
];
const noop = async (): Promise<void> => undefined;
const entries: readonly HandlerEntry[] = JOB_NAMES.map((name) => ({ name, handle: noop }));

describe('the registry of jobs', () => {
  it('has a sample of every job here', () => {
    expect(samples.map(({ name }) => name).sort()).toEqual([...JOB_NAMES].sort());
  });

  it.each(samples)('gives $name an identity that BullMQ takes', (job) => {
    const id = definitionOf(job.name).idOf(job);
    expect(id).not.toContain(':');
    expect(id).not.toMatch(/^\d+$/);
  });

  it('tells jobs about different rows apart', () => {
    const idOf = (job: Job): string => definitionOf(job.name).idOf(job);
    const jobs = [extractJob(1, '11'), extractJob(11, '1'), extractJob(1, '1'), deliverJob(), deliverJob()];
    const ids = jobs.map(idOf);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(samples)('reads back what is written for $name', (job) => {
    const { name, ...data } = job;
    expect(readJob(name, JSON.parse(JSON.stringify(data)))).toEqual(job);
  });

  it.each([
    ['a name it does not know', 'compact', {}],
    ["an object's own method as name", 'toString', {}],
    ['no row', 'deliver', {}],
    ['a key that is text', 'extract', { sessionKey: '1', strategyId: 's' }],
    ['no data', 'extract', null],
  ])('reads nothing from %s', (_, name, data) => {
    expect(readJob(name, data)).toBeNull();
  });

  it('has a queue for every job', () => {
    expect(new Set(Object.values(JOBS).map(({ queue }) => queue))).toEqual(new Set(QUEUES));
  });
});

describe('the handlers of a host', () => {
  it('are accepted when every job has one', () => {
    expect(Object.keys(collectHandlers(entries)).sort()).toEqual([...JOB_NAMES].sort());
  });

  it('are refused when a job has none, with the line to add', () => {
    expect(() => collectHandlers(entries.filter(({ name }) => name !== 'deliver'))).toThrow(
      "Job 'deliver' has no handler: add { name: 'deliver', handle }",
    );
  });

  it('are refused when a job has two', () => {
    expect(() => collectHandlers([...entries, { name: 'sweep', handle: noop }])).toThrow("Job 'sweep' has 2 handlers");
  });
});
