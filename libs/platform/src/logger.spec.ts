import 'reflect-metadata';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { eventually } from '@turnkeeper/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger, nestLogger } from './logger.js';

describe('a process logger', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'turnkeeper-logger-'));
    file = join(folder, 'lines');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const written = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('writes JSON lines with named level and service, and no secrets', async () => {
    const logger = createLogger('ingest', 'info', openSync(file, 'w'));
    logger.info({ apiKey: 'hunter2', nested: { secret: 'hunter2' } }, 'thing.happened');
    logger.debug('not asked for');
    await eventually(() => written().length > 0);
    expect(written()).toEqual([
      expect.objectContaining({ level: 'info', service: 'ingest', msg: 'thing.happened', apiKey: '[Redacted]' }),
    ]);
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
  });

  it('buffers lines and keeps their order when a warning flushes them', async () => {
    const logger = createLogger('ingest', 'info', openSync(file, 'w'));
    logger.info('first');
    expect(written()).toEqual([]);
    logger.warn('second');
    logger.info('third');
    await eventually(() => written().length === 3);
    expect(written().map(({ msg }) => msg)).toEqual(['first', 'second', 'third']);
  });

  it('leaves a failed start of Nest to the process, which reports it', async () => {
    const logger = createLogger('ingest', 'info', openSync(file, 'w'));
    const app = NestFactory.createApplicationContext(FailingModule, {
      logger: nestLogger(logger),
      abortOnError: false,
    });
    await expect(app).rejects.toThrow('A setting is missing.');
    logger.warn('end');
    await eventually(() => written().some(({ msg }) => msg === 'end'));
    expect(written().map(({ msg }) => msg)).toEqual(['end']);
  });
});

class FailingModule {}
Module({
  providers: [
    {
      provide: 'setting',
      useFactory: () => {
        throw new Error('A setting is missing.');
      },
    },
  ],
})(FailingModule);
