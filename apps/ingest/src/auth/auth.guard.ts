import {
  createParamDecorator,
  Inject,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { noQuery, parseOrRefuse, type Scope } from '@turnkeeper/contracts';
import type { FastifyRequest } from 'fastify';
import { RUNTIME_HEADERS_REQUIRED } from '../tokens.js';
import { MissingScope } from './auth-errors.js';
import { Authenticator } from './authenticator.js';
import type { Caller } from './caller.js';
import { RateLimiter } from './rate-limiter.js';
import { checkRuntimeHeaders } from './runtime-headers.js';

const SCOPE = 'turnkeeper:scope';

/** The scope that a route needs; `@Route` sets it from the route table. */
export const RequireScope = (scope: Scope) => SetMetadata(SCOPE, scope);

const PUBLIC = 'turnkeeper:public';

/** A route that needs no key: what it gives is for everybody, or it knows its caller in another way. */
export const Public = () => SetMetadata(PUBLIC, true);

const NO_QUERY = 'turnkeeper:no-query';

/** A route that knows no query parameter: one that is sent is refused, also where the handler never looks. */
export const TakesNoQuery = () => SetMetadata(NO_QUERY, true);

/** The calling tenant's id. */
export const TenantId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<{ tenantId: string }>().tenantId,
);

@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(RateLimiter) private readonly rateLimiter: RateLimiter,
    @Inject(RUNTIME_HEADERS_REQUIRED) private readonly runtimeHeadersRequired: boolean,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.reflector.get<boolean | undefined>(PUBLIC, context.getHandler()) === true) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest & { tenantId?: string }>();
    const scope = this.reflector.get<Scope>(SCOPE, context.getHandler());
    const admit = (caller: Caller): boolean => {
      if (!caller.scopes.includes(scope)) throw new MissingScope(scope);
      request.tenantId = caller.tenantId;
      this.rateLimiter.take(caller.tenantId);
      checkRuntimeHeaders(request, this.runtimeHeadersRequired);
      this.checkQuery(context, request.query as object);
      return true;
    };
    const caller = this.authenticator.authenticate(request.headers.authorization);
    return caller instanceof Promise ? caller.then(admit) : admit(caller);
  }

  private checkQuery(context: ExecutionContext, query: object): void {
    if (Object.keys(query).length === 0) return;
    if (this.reflector.get<boolean | undefined>(NO_QUERY, context.getHandler()) === true) {
      parseOrRefuse('query', noQuery, query);
    }
  }
}
