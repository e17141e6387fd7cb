import { randomUUID } from 'node:crypto';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, MessagePattern, Payload, type MicroserviceOptions } from '@nestjs/microservices';
import type { EventNotice } from '@turnkeeper/application';
import { MemoryNotFound } from '@turnkeeper/domain';
import { noticeIn, noticeOf, testServers } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsumerObserver, JetStreamContext } from '../index.js';
import { eventStream, JetStreamPublisher, JetStreamStrategy, NatsConnectionProvider, RethrowFilter } from '../index.js';

const broker = new NatsConnectionProvider({ url: testServers.nats(), name: 'nest-wiring' });
beforeAll(() => broker.connection());
afterAll(() => broker.close());

const heard: { notice: EventNotice; subject: string }[] = [];

@Controller()
class Listener {
  @EventPattern<string>('tk.*.*.events', { durable: 'worker-listener' })
  async onEvents(@Payload() data: Uint8Array, @Ctx() context: JetStreamContext): Promise<void> {
    const notice = noticeIn(data);
    if (notice.events[0]?.position === 13) throw new MemoryNotFound();
    heard.push({ notice, subject: context.delivery.subject });
  }
}
@Module({ controllers: [Listener] })
class ListenerModule {}

@Controller()
class Asker {
  @MessagePattern('tk.*.*.events')
  answer(): string {
    return 'no';
  }
}
@Module({ controllers: [Asker] })
class AskerModule {}

@Controller()
class Nameless {
  @EventPattern<string>('tk.*.*.events')
  async onEvents(): Promise<void> {
    await Promise.resolve();
  }
}
@Module({ controllers: [Nameless] })
class NamelessModule {}

const strategyFor = (observer: ConsumerObserver = {}) => {
  const id = randomUUID().slice(0, 8);
  const stream = eventStream({ stream: `NEST_${id}`, subjectPrefix: `nest_${id}` });
  return { stream, strategy: new JetStreamStrategy({ broker, stream, observer }) };
};

describe('JetStream as a Nest transport', () => {
  it('calls an @EventPattern method, and its failure reaches the observer unchanged', async () => {
    const failures: unknown[] = [];
    const { stream, strategy } = strategyFor({
      retried: (_durable, _attempt, _pauseMs, error) => failures.push(error),
    });
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(ListenerModule, { strategy, logger: false });
    app.useGlobalFilters(new RethrowFilter());
    await app.listen();
    const good = noticeOf(randomUUID(), 12);
    await new JetStreamPublisher(broker, { stream }).publish([noticeOf(randomUUID(), 13), good]);
    await expect.poll(() => heard.map(({ notice }) => notice), { timeout: 30_000 }).toEqual([good]);
    expect(heard[0]?.subject).toBe(`${stream.subjectPrefix}.${good.tenantId}.${good.memoryId}.events`);
    await expect.poll(() => failures.length, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(failures[0]).toBeInstanceOf(MemoryNotFound);
    await app.close();
    await (await (await broker.connection()).jetstreamManager()).streams.delete(stream.name);
  });

  it('refuses to start with a @MessagePattern, which JetStream cannot answer', async () => {
    const { strategy } = strategyFor();
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(AskerModule, { strategy, logger: false });
    await expect(app.listen()).rejects.toThrow('use @EventPattern');
    await app.close();
  });

  it('refuses to start with a handler that has no durable name, and says what to write', async () => {
    const { strategy } = strategyFor();
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(NamelessModule, { strategy, logger: false });
    await expect(app.listen()).rejects.toThrow("{ durable: '<app>-<purpose>' }");
    await app.close();
  });
});
