import 'reflect-metadata';
import type { IncomingHttpHeaders } from 'node:http';
import { Controller, Inject, Module, Post, Req, Res, type DynamicModule, type RawBodyRequest } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createReceiver } from './receive.mjs';

type Receive = (headers: IncomingHttpHeaders, body: Uint8Array) => Promise<number>;
type ReceiverOptions = Parameters<typeof createReceiver>[0];

const RECEIVE = Symbol('receive');

@Controller()
class WebhooksController {
  constructor(@Inject(RECEIVE) private readonly receive: Receive) {}

  @Post()
  async take(@Req() request: RawBodyRequest<FastifyRequest>, @Res() reply: FastifyReply): Promise<void> {
    // The raw body: a parsed and reserialized one has another signature.
    const status = await this.receive(request.headers, request.rawBody ?? Buffer.alloc(0));
    await reply.code(status).send();
  }
}

/** Import it into your application: `imports: [WebhooksModule.with({ secret, onHistory })]`. */
@Module({})
export class WebhooksModule {
  static with(options: ReceiverOptions): DynamicModule {
    return {
      module: WebhooksModule,
      controllers: [WebhooksController],
      providers: [{ provide: RECEIVE, useValue: createReceiver(options) }],
    };
  }
}

/** `rawBody` makes Nest keep the bytes of each body. */
export const createApp = (options: ReceiverOptions): Promise<NestFastifyApplication> =>
  NestFactory.create<NestFastifyApplication>(
    WebhooksModule.with(options),
    new FastifyAdapter({ bodyLimit: 2_097_152 }),
    { rawBody: true, logger: false },
  );
