import { Readable } from 'node:stream';
import { Body, Controller, Inject, StreamableFile } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { ImportLineInvalid, writeJson } from '@turnkeeper/domain';
import { Input, Route, type CallOf } from '../http/route.js';
import { paced } from '../limits/paced.js';
import { resting } from '../limits/resting.js';
import { inShare } from '../limits/share-work.js';
import { readLines } from './read-lines.js';
import { APP, type App } from '../composition.js';

const LINES = 'application/x-ndjson';
/** Lines that are read and sent at once: no more than the export buffers anyway. */
const PAGE = 50;

/** Export and import of a memory. Both stream and buffer at most one page. */
@Controller()
export class TransferController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.exportMemory)
  async export(@Input() { tenantId, reach, path }: CallOf<typeof routes.exportMemory>) {
    const lines = await this.app.exportMemory.execute(reach, path.memoryId);
    const pages = inShare(lines, tenantId, routes.exportMemory.id, PAGE, this.app.fairWork);
    return new StreamableFile(Readable.from(asText(pages), { objectMode: false }), {
      type: LINES,
      disposition: `attachment; filename="memory-${path.memoryId}.jsonl"`,
    });
  }

  /** The body comes as a stream: `takeLineBodies`. */
  @Route(routes.importMemory)
  async import(
    @Input() { tenantId, query }: Pick<CallOf<typeof routes.importMemory>, 'tenantId' | 'query'>,
    @Body() body: unknown,
  ) {
    if (!(body instanceof Readable)) throw new ImportLineInvalid(1, 'Content-Type', `must be ${LINES}`);
    try {
      const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      const lines = readLines(resting(paced(chunks, tenantId, this.app.rateLimiter)), tenantId, this.app.bodyBudget);
      const imported = await this.app.importMemory.execute(tenantId, lines, query.ids);
      this.app.appended();
      return imported;
    } finally {
      // An unread body stays on the connection, which then can be neither reused nor closed.
      body.resume();
    }
  }
}

async function* asText(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const lines of pages) if (lines.length > 0) yield lines.map((line) => `${writeJson(line)}\n`).join('');
}
