import {
  applyDecorators,
  createParamDecorator,
  Inject,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { noQuery, parseOrRefuse, type Scope } from '@turnkeeper/contracts';
import type { FastifyRequest } from 'fastify';
import type { EdgeConfig } from '../edge/route-config.js';
import type { Admitted } from '../edge/admit-on-headers.js';
import { specOf } from '../edge/route-config.js';
import { DueWorkGate } from '../limits/due-work.js';
import { Unauthenticated } from './auth-errors.js';
import { KeyReach } from './key-reach.js';
import { RuntimeHeaders } from './runtime-headers.js';

const SCOPE = 'turnkeeper:scope';

/** The scope a route needs, read by the guard and `admitOnHeaders`. `@Route` sets it from the route table. */
export const RequireScope = (scope: Scope, id?: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(SCOPE, scope),
    RouteConfig({ spec: { scope, ...(id === undefined ? {} : { id }) } } satisfies EdgeConfig),
  );

const PUBLIC = 'turnkeeper:public';

/** A route without an API key: its content is public, or it authenticates the caller in another way. */
export const Public = () => SetMetadata(PUBLIC, true);

const NO_QUERY = 'turnkeeper:no-query';

/** A route without query parameters: any query parameter is rejected, even if the handler never reads the query. */
export const TakesNoQuery = () => SetMetadata(NO_QUERY, true);

/** The calling tenant's id. */
export const TenantId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<{ tenantId: string }>().tenantId,
);

/**
 * Second line of defence: `admitOnHeaders` admitted the caller before the body was read, and a route it did not see is
 * denied here. Also makes the decisions that depend on the query and the body.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(KeyReach) private readonly keyReach: KeyReach,
    @Inject(RuntimeHeaders) private readonly runtimeHeaders: RuntimeHeaders,
    @Inject(DueWorkGate) private readonly dueWork: DueWorkGate,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & Admitted>();
    if (this.reflector.get<boolean | undefined>(PUBLIC, context.getHandler()) === true) {
      this.checkQuery(context, request.query as object);
      return true;
    }
    const scope = this.reflector.get<Scope>(SCOPE, context.getHandler());
    if (request.caller?.scopes.includes(scope) !== true) throw new Unauthenticated();
    this.checkQuery(context, request.query as object);
    const { caller } = request;
    const reaching = this.keyReach.check(request, caller);
    const isOperator = caller.scopes.includes('admin');
    const checking =
      reaching === undefined
        ? this.runtimeHeaders.check(request, isOperator)
        : reaching.then(() => this.runtimeHeaders.check(request, isOperator));
    const counting = (): void | Promise<void> =>
      this.dueWork.check(specOf(request)?.id, request.caller?.tenantId ?? '');
    const checked = checking === undefined ? counting() : checking.then(counting);
    return checked === undefined ? true : checked.then(() => true);
  }

  private checkQuery(context: ExecutionContext, query: object): void {
    if (Object.keys(query).length === 0) return;
    if (this.reflector.get<boolean | undefined>(NO_QUERY, context.getHandler()) === true) {
      parseOrRefuse('query', noQuery, query);
    }
  }
}
