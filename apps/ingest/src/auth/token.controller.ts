import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { issueTokenBody, parseOrRefuse, TOKEN_PATH, type IssuedToken } from '@turnkeeper/contracts';
import type { FastifyRequest } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import { ANY_SCOPE, type EdgeConfig } from '../edge/route-config.js';
import { TOKEN_SECONDS } from './access-tokens.js';
import { Unauthenticated } from './auth-errors.js';
import { Public, TakesNoQuery } from './auth.guard.js';
import { APP, type App } from '../composition.js';

const MAX_BODY_BYTES = 4_096;

/** Exchanges an API key for a short-lived token (RFC 6749, 4.4), as AgentBase's IAM does. */
@Controller()
export class TokenController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Post(TOKEN_PATH)
  @HttpCode(200)
  @Public()
  @TakesNoQuery()
  @RouteConfig({ spec: { scope: ANY_SCOPE, rawBody: true, bodyBytes: MAX_BODY_BYTES } } satisfies EdgeConfig)
  async issue(@Req() request: FastifyRequest & Admitted, @Body() body: Buffer | undefined): Promise<IssuedToken> {
    const { caller, headers } = request;
    // A token cannot be exchanged for another one, or it would never expire.
    const isKey = headers.authorization?.toLowerCase().startsWith('basic ') === true;
    if (caller === undefined || !isKey) throw new Unauthenticated();
    parseOrRefuse('body', issueTokenBody, fieldsOf(body?.toString('utf8') ?? ''));
    return {
      access_token: await this.app.accessTokens.issue(caller.keyId, this.app.clock.now()),
      token_type: 'Bearer',
      expires_in: TOKEN_SECONDS,
      scope: caller.scopes.join(' '),
    };
  }
}

/** Fields of a form, or of JSON, which IAM accepts too. */
const fieldsOf = (text: string): unknown => {
  if (!text.trimStart().startsWith('{')) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
};
