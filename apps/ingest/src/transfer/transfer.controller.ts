import { Readable } from 'node:stream';
import { Body, Controller, Inject, StreamableFile } from '@nestjs/common';
import { ExportMemory, ImportMemory } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { ImportLineInvalid } from '@turnkeeper/domain';
import { Input, Route, type CallOf } from '../http/route.js';
import { paced } from '../limits/paced.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { resting } from '../limits/resting.js';
import { APPENDED } from '../tokens.js';
import { readLines } from './read-lines.js';

const { exportMemory, importMemory } = routes;
const LINES = 'application/x-ndjson';

/** Export and import of a memory. Both stream and buffer at most one page. */
@Controller()
export class TransferController {
  constructor(
    @Inject(ExportMemory) private readonly exportMemory: ExportMemory,
    @Inject(ImportMemory) private readonly importMemory: ImportMemory,
    @Inject(RateLimiter) private readonly rateLimiter: RateLimiter,
    @Inject(APPENDED) private readonly appended: () => void,
  ) {}

  @Route(exportMemory)
  async export(@Input() { reach, path }: CallOf<typeof exportMemory>) {
    const lines = await this.exportMemory.execute(reach, path.memoryId);
    return new StreamableFile(Readable.from(asText(lines), { objectMode: false }), {
      type: LINES,
      disposition: `attachment; filename="memory-${path.memoryId}.jsonl"`,
    });
  }

  /** The body comes as a stream: `takeLineBodies`. */
  @Route(importMemory)
  async import(
    @Input() { tenantId, query }: Pick<CallOf<typeof importMemory>, 'tenantId' | 'query'>,
    @Body() body: unknown,
  ) {
    if (!(body instanceof Readable)) throw new ImportLineInvalid(1, 'Content-Type', `must be ${LINES}`);
    try {
      const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      const lines = readLines(resting(paced(chunks, tenantId, this.rateLimiter)));
      const imported = await this.importMemory.execute(tenantId, lines, query.ids);
      this.appended();
      return imported;
    } finally {
      // An unread body stays on the connection, which then can be neither reused nor closed.
      body.resume();
    }
  }
}

async function* asText(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
