import type { EventNotice, EventPublisher } from '@turnkeeper/application';
import type { OpenSpan, SpanOptions, Tracing } from '@turnkeeper/platform';
import { noticeOf } from '@turnkeeper/testing';
import { expect, it } from 'vitest';
import { tracedPublisher } from './traced-publisher.js';

const started: { name: string; options: SpanOptions | undefined; ended: boolean; failed: boolean }[] = [];
const tracing = {
  on: true,
  start: (name: string, options?: SpanOptions) => {
    const span = { name, options, ended: false, failed: false };
    started.push(span);
    return {
      traceparent: `span ${started.length}`,
      end: () => (span.ended = true),
      fail: () => (span.failed = true),
    } as unknown as OpenSpan;
  },
} as Tracing;

const idsOf = ({ events }: EventNotice): string[] => events.map(({ eventId }) => eventId);

it('continues the newest trace of a notice, links to the others, and leaves the rest alone', async () => {
  const [traced, untraced] = [noticeOf('one', 1, 2, 3), noticeOf('two', 4)];
  const [first, , last] = idsOf(traced);
  const published: EventNotice[] = [];
  const publisher = { publish: async (notices: readonly EventNotice[]) => void published.push(...notices) };
  const known = new Map<string, string>();
  known.set(first!, 'older').set(last!, 'newer');
  const contexts = { find: async () => known };
  started.length = 0;
  await tracedPublisher(publisher, tracing, contexts, 'EVENTS').publish([traced, untraced]);
  expect(published).toEqual([{ ...traced, traceparent: 'span 1' }, untraced]);
  expect(started).toEqual([
    expect.objectContaining({
      ended: true,
      failed: false,
      options: expect.objectContaining({ parent: 'newer', links: ['older'] }),
    }),
  ]);
});

it('publishes when contexts cannot be read, and ends the spans of a failed publish', async () => {
  const published: EventNotice[] = [];
  const publisher: EventPublisher = { publish: async (notices) => void published.push(...notices) };
  const notice = noticeOf('one', 1);
  const away = { find: () => Promise.reject(new Error('away')) };
  await tracedPublisher(publisher, tracing, away, 'EVENTS').publish([notice]);
  expect(published).toEqual([notice]);
  started.length = 0;
  const failing = { publish: () => Promise.reject(new Error('no NATS')) };
  const contexts = { find: async () => new Map([[idsOf(notice)[0]!, 'a trace']]) };
  await expect(tracedPublisher(failing, tracing, contexts, 'EVENTS').publish([notice])).rejects.toThrow('no NATS');
  expect(started).toEqual([expect.objectContaining({ ended: true, failed: true })]);
});
