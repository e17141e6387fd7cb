import { Body, Controller, HttpCode, Inject, Post, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { VENDOR_BODY_BYTES } from '@turnkeeper/contracts';
import { ZEGO_CODES, ZEGO_PATH, zegoAnswer, ZegoRefusal } from '@turnkeeper/vendors';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/auth.guard.js';
import type { EdgeConfig } from '../edge/route-config.js';
import { APP, type App } from '../composition.js';

/** ZEGOCLOUD's agent API: every action is a POST to one path, with the action and the signature in the query. */
@Controller(['', ZEGO_PATH])
export class ZegoController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Post()
  @HttpCode(200)
  @RouteConfig({ spec: { scope: null, bodyBytes: VENDOR_BODY_BYTES } } satisfies EdgeConfig)
  @Public()
  async act(@Req() request: FastifyRequest, @Query() query: unknown, @Body() body: unknown) {
    const { action, app } = await this.app.zegoGate.admit(query);
    (request as { tenantId?: string }).tenantId = app.tenantId;
    this.app.rateLimiter.take(app.tenantId, Number(request.headers['content-length'] ?? 0));
    const run = Object.hasOwn(this.app.zegoActions, action) ? this.app.zegoActions[action] : undefined;
    if (run === undefined) throw new ZegoRefusal(ZEGO_CODES.actionUnknown, 'This Action is not served here.');
    const data = await run(app, body ?? {});
    this.app.appended();
    return zegoAnswer(request.id, data);
  }
}
