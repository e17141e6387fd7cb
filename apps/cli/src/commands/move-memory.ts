import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { UsageError } from '../usage.js';
import { connectServer, readArgs } from './server.js';
import { print, required } from './console.js';

/** A large memory takes its time. */
const IMPORT_TIMEOUT_MS = 3_600_000;

/** Writes a memory as lines of JSON to a file, or to the output. A file is there only when it is complete. */
export const exportMemory = async (args: readonly string[]): Promise<void> => {
  const { values } = readArgs(args, { memory: { type: 'string' }, out: { type: 'string' } });
  const stream = await connectServer().memory(required(values.memory, '--memory ID')).export();
  const lines = Readable.fromWeb(stream as ReadableStream);
  if (values.out === undefined) return pipeline(lines, process.stdout, { end: false });
  const unfinished = `${values.out}.part`;
  try {
    await pipeline(lines, createWriteStream(unfinished));
    await rename(unfinished, values.out);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
};

const openExport = async (path: string): Promise<Blob> => {
  try {
    return await openAsBlob(path);
  } catch (cause) {
    throw new Error(`${path} cannot be read. Give the path of an exported memory.`, { cause });
  }
};

/** Imports an exported memory; repeating it resumes an interrupted import. */
export const importMemory = async (args: readonly string[]): Promise<void> => {
  const { values, positionals } = readArgs(
    args,
    { ids: { type: 'string', default: 'keep' }, json: { type: 'boolean', default: false } },
    ['FILE'],
  );
  const { ids } = values;
  if (ids !== 'keep' && ids !== 'new') throw new UsageError('--ids must be keep or new.');
  const file = await openExport(positionals[0] ?? '');
  const imported = await connectServer().memories.import(file, { ids, timeoutMs: IMPORT_TIMEOUT_MS });
  const { memoryId, events, records } = imported;
  print(values.json ? JSON.stringify(imported) : `Memory ${memoryId}: ${events} events, ${records} records`);
};
