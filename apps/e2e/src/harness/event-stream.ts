/** One server-sent event. */
export interface SentEvent {
  readonly id: number;
  readonly data: unknown;
}

/** An open event stream, read until a condition holds. */
export class EventStreamReader {
  /** All events so far. */
  readonly events: SentEvent[] = [];
  /** All comments so far. */
  readonly comments: string[] = [];
  ended = false;
  private rest = '';
  private readonly reader: ReadableStreamDefaultReader<string>;

  constructor(readonly response: Response) {
    this.reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Resolves when the condition holds or the stream has ended. */
  async until(isEnough: (stream: EventStreamReader) => boolean): Promise<this> {
    while (!this.ended && !isEnough(this)) {
      const { done, value } = await this.reader.read();
      if (done) this.ended = true;
      else this.take(value);
    }
    return this;
  }

  close(): Promise<void> {
    return this.reader.cancel();
  }

  private take(text: string): void {
    const blocks = `${this.rest}${text}`.split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.split(': ', 1)[0]!, line.replace(/^[^:]*: /u, '')]));
      if (block.startsWith(': ')) this.comments.push(block.slice(2));
      else if (fields.has('data'))
        this.events.push({ id: Number(fields.get('id')), data: JSON.parse(fields.get('data')!) });
    }
  }
}

/** Events that a stream begins with, until it says that it is up to date. */
export const eventsUntilUpToDate = async (response: Response): Promise<readonly SentEvent[]> => {
  const stream = await new EventStreamReader(response).until(({ comments }) => comments.length > 0);
  await stream.close();
  return stream.events;
};
