import { Body, Controller, HttpCode, Inject, Post, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { VENDOR_BODY_BYTES } from '@turnkeeper/contracts';
import { ZEGO_CODES, ZEGO_PATH, zegoAnswer, ZegoGate, ZegoRefusal, type zegoActions } from '@turnkeeper/vendors';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/auth.guard.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import type { EdgeConfig } from '../edge/route-config.js';
import { APPENDED } from '../tokens.js';

export const ZEGO_ACTIONS = Symbol('zego actions');

/** ZEGOCLOUD's agent API: every action is a POST to one path, with the action and the signature in the query. */
@Controller(['', ZEGO_PATH])
export class ZegoController {
  constructor(
    @Inject(ZegoGate) private readonly gate: ZegoGate,
    @Inject(ZEGO_ACTIONS) private readonly actions: ReturnType<typeof zegoActions>,
    @Inject(RateLimiter) private readonly rateLimiter: RateLimiter,
    @Inject(APPENDED) private readonly appended: () => void,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteConfig({ spec: { scope: null, bodyBytes: VENDOR_BODY_BYTES } } satisfies EdgeConfig)
  @Public()
  async act(@Req() request: FastifyRequest, @Query() query: unknown, @Body() body: unknown) {
    const { action, app } = await this.gate.admit(query);
    (request as { tenantId?: string }).tenantId = app.tenantId;
    this.rateLimiter.take(app.tenantId, Number(request.headers['content-length'] ?? 0));
    const run = Object.hasOwn(this.actions, action) ? this.actions[action] : undefined;
    if (run === undefined) throw new ZegoRefusal(ZEGO_CODES.actionUnknown, 'This Action is not served here.');
    const data = await run(app, body ?? {});
    this.appended();
    return zegoAnswer(request.id, data);
  }
}
