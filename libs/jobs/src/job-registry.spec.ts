import type { Job } from '@turnkeeper/application';
import { deliverJob, extractJob } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { definitionOf, JOB_NAMES, JOBS, QUEUES, readJob } from './job-registry.js';

const samples: readonly Job[] = [extractJob(12, '0190c3b2-7f00-7000-8000-000000000001'), deliverJob()];

describe('the job registry', () => {
  it('has a sample of every job in this spec', () => {
    expect(samples.map(({ name }) => name).sort()).toEqual([...JOB_NAMES].sort());
  });

  it.each(samples)('gives $name an identity that BullMQ accepts', (job) => {
    const id = definitionOf(job.name).idOf(job);
    expect(id).not.toContain(':');
    expect(id).not.toMatch(/^\d+$/);
  });

  it('gives jobs about different rows different identities', () => {
    const idOf = (job: Job): string => definitionOf(job.name).idOf(job);
    const jobs = [extractJob(1, '11'), extractJob(11, '1'), extractJob(1, '1'), deliverJob(), deliverJob()];
    const ids = jobs.map(idOf);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(samples)('parses its own serialization of $name', (job) => {
    const { name, ...data } = job;
    expect(readJob(name, JSON.parse(JSON.stringify(data)))).toEqual(job);
  });

  it.each([
    ['a name it does not know', 'compact', {}],
    ["an object's own method as name", 'toString', {}],
    ['no row', 'deliver', {}],
    ['a key that is text', 'extract', { sessionKey: '1', strategyId: 's' }],
    ['no data', 'extract', null],
  ])('returns null for %s', (_, name, data) => {
    expect(readJob(name, data)).toBeNull();
  });

  it('has a queue for every job', () => {
    expect(new Set(Object.values(JOBS).map(({ queue }) => queue))).toEqual(new Set(QUEUES));
  });
});
