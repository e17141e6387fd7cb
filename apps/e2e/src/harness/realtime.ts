import { EventEmitter } from 'node:events';

/** A message of the realtime protocol, in either direction. */
export interface RealtimeMessage {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** `memory.state` of a session, as received by the client. */
export interface MemoryState {
  readonly version: number;
  readonly facts: readonly string[];
  readonly summary: string;
  readonly context_text: string;
  readonly turns_since_gen: number;
  readonly total_turns: number;
  readonly items_trimmed: number;
}

/**
 * A realtime session of a voice platform, as described in its guide on memory: plain objects instead of a WebSocket,
 * both ends in one. Memory lasts as long as the session; its version counts from 1 in every session.
 */
export class RealtimeSession {
  /** Messages from the client, in order. */
  readonly received: RealtimeMessage[] = [];
  private readonly client = new EventEmitter();
  private state: MemoryState | null = null;
  private config: Record<string, unknown> = {};
  private turns = 0;
  private readonly handling: Promise<void>[] = [];

  /** The client's side: `on('message')`. Receives the session immediately. */
  open(
    onMessage: (message: RealtimeMessage, send: (message: RealtimeMessage) => void) => Promise<void>,
  ): Promise<void> {
    this.client.on('message', (message: RealtimeMessage) => {
      this.handling.push(onMessage(message, (answer) => this.receive(answer)));
    });
    return this.tell({ type: 'session.created' });
  }

  /** One turn of both sides: what was heard, and the reply. */
  async turn(user: string, assistant: string): Promise<void> {
    this.turns += 1;
    await this.tell({ type: 'conversation.item.input_audio_transcription.completed', transcript: user });
    await this.tell({ type: 'response.output_audio_transcript.done', transcript: assistant });
  }

  /** The platform has created memory of the conversation. */
  generate(facts: readonly string[], summary: string): Promise<void> {
    const version = (this.state?.version ?? 0) + 1;
    this.state = {
      version,
      facts,
      summary,
      context_text: [...facts, summary].join('\n'),
      turns_since_gen: 0,
      total_turns: this.turns,
      items_trimmed: 0,
    };
    return this.tellUpdated();
  }

  /** A `session.updated` without changes, the reply to every `session.update`. */
  tellUpdated(): Promise<void> {
    const memory = { ...(this.config['memory'] as object | undefined), state: this.state };
    return this.tell({ type: 'session.updated', session: { ...this.config, providerData: { memory } } });
  }

  private receive(message: RealtimeMessage): void {
    this.received.push(message);
    if (message.type !== 'session.update') return;
    this.config = message['session'] as Record<string, unknown>;
    void this.tellUpdated();
  }

  /** Resolves when the client has handled it and everything that followed. */
  private async tell(message: RealtimeMessage): Promise<void> {
    this.client.emit('message', message);
    while (this.handling.length > 0) await this.handling.shift();
  }
}
