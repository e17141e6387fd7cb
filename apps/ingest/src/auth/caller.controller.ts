import { Controller, Get, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { scopesAllowedBy, type CallerView } from '@turnkeeper/contracts';
import type { FastifyRequest } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import { ANY_SCOPE, type EdgeConfig } from '../edge/route-config.js';
import { Public, TakesNoQuery } from './auth.guard.js';
import { Unauthenticated } from './auth-errors.js';

/** Needs a valid key or token with any scope, even with none. Admission checks it before the handler runs. */
@Controller()
export class CallerController {
  @Get('v1/auth/caller')
  @Public()
  @TakesNoQuery()
  @RouteConfig({ spec: { scope: ANY_SCOPE } } satisfies EdgeConfig)
  get(@Req() request: FastifyRequest & Admitted): CallerView {
    const { caller } = request;
    if (caller === undefined) throw new Unauthenticated();
    const { tenantId, keyId, scopes, reach } = caller;
    const allows = scopesAllowedBy(scopes);
    return { tenantId, keyId, scopes, allows, memoryId: reach?.memoryId ?? null, actorId: reach?.actorId ?? null };
  }
}
