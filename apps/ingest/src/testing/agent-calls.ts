import { AppendToAgent, StartAgent, StopAgent, type AppendedEvent } from '@turnkeeper/application';
import type { Agent } from '@turnkeeper/domain';
import { createDataSource, createEventStore, DatabaseClock, EnvelopeCipher } from '@turnkeeper/postgres';
import { createStores, type Stores } from '@turnkeeper/runtime';

const PLAIN_TEXT = new EnvelopeCipher({ keys: [], sealing: false });

/** Calls that race tests make on an agent. */
export interface AgentCalls {
  /** @param content also the idempotency key */
  say(agentId: string, content: string): Promise<readonly AppendedEvent[]>;
  stop(agentId: string): Promise<Agent>;
}

/** Per-process parts of an ingest: pools, lanes and stores. */
export class IngestStores implements AgentCalls {
  private constructor(
    readonly stores: Stores,
    private readonly tenantId: string,
    readonly close: () => Promise<void>,
  ) {}

  static async open(databaseUrl: string, tenantId: string): Promise<IngestStores> {
    const dataSource = createDataSource({ url: databaseUrl, poolSize: 8 });
    await dataSource.initialize();
    const eventStore = createEventStore({ databaseUrl });
    const clock = await DatabaseClock.start(dataSource);
    const stores = createStores({ dataSource, cipher: PLAIN_TEXT, eventStore, clock });
    return new IngestStores(stores, tenantId, async () => {
      clock.stop();
      await eventStore.close();
      await dataSource.destroy();
    });
  }

  start(memoryId: string, number: number, actors: number): Promise<Agent> {
    return new StartAgent(this.stores).execute(this.tenantId, {
      memoryId,
      actorId: `actor ${number % actors}`,
      sessionId: `session ${number}`,
      name: `agent ${number}`,
      vendor: 'openai',
      systemMessages: [],
      params: {},
      maxHistory: 12,
      labels: {},
      channel: null,
    });
  }

  say(agentId: string, content: string): Promise<readonly AppendedEvent[]> {
    const message = { payloadType: 'CONVERSATIONAL', role: 'user', content } as const;
    return new AppendToAgent(this.stores).execute(this.tenantId, agentId, [message], {
      idempotencyKey: content,
      fingerprint: () => Buffer.from(content).toString('hex'),
    });
  }

  stop(agentId: string): Promise<Agent> {
    return new StopAgent(this.stores).execute(this.tenantId, agentId, 'requested');
  }
}
