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
import { allowsScope, noQuery, parseOrRefuse, type Scope } from '@turnkeeper/contracts';
import { wholeTenant, type Reach } from '@turnkeeper/domain';
import type { FastifyRequest } from 'fastify';
import type { EdgeConfig } from '../edge/route-config.js';
import type { Admitted } from '../edge/admit-on-headers.js';
import { BodyNotAccepted } from '../edge/edge-errors.js';
import { specOf } from '../edge/route-config.js';
import { Unauthenticated } from './auth-errors.js';
import type { Caller } from './caller.js';
import { targetOf } from './request-target.js';
import { APP, type App } from '../composition.js';

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

const NO_BODY = 'turnkeeper:no-body';

/** A route without a body: a body with any field is rejected, because the handler would ignore it. */
export const TakesNoBody = () => SetMetadata(NO_BODY, true);

/** An admitted request, once the guard has checked what it is about. */
export type Reaching = FastifyRequest & Admitted & { reach?: Reach };

/** Throws `Unauthenticated` if the guard has not seen the request. */
export const reachOf = ({ reach }: Reaching): Reach => {
  if (reach === undefined) throw new Unauthenticated();
  return reach;
};

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
    @Inject(APP) private readonly app: Pick<App, 'keyReach' | 'runtimeHeaders' | 'dueWorkGate'>,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Reaching>();
    if (this.reflector.get<boolean | undefined>(PUBLIC, context.getHandler()) === true) {
      this.checkShape(context, request);
      return true;
    }
    const scope = this.reflector.get<Scope>(SCOPE, context.getHandler());
    const { caller } = request;
    if (caller === undefined || !allowsScope(caller.scopes, scope)) throw new Unauthenticated();
    this.checkShape(context, request);
    const counting = (): void | Promise<void> => this.app.dueWorkGate.check(specOf(request)?.id, caller.tenantId);
    const checking = this.checkReach(request, caller);
    const checked = checking === undefined ? counting() : checking.then(counting);
    return checked === undefined ? true : checked.then(() => true);
  }

  /** Sets the reach of the request. Synchronous for an unrestricted key without the runtime's headers. */
  private checkReach(request: Reaching, caller: Caller): void | Promise<void> {
    const { tenantId, scopes } = caller;
    const ofKey: Reach = { ...wholeTenant(tenantId), ...caller.reach };
    request.reach = ofKey;
    const isRestricted = caller.reach !== undefined;
    const isForUser = this.app.runtimeHeaders.applyTo(request.headers);
    if (!isRestricted && !isForUser) return;
    const target = targetOf(request);
    const speaker = isForUser
      ? this.app.runtimeHeaders.speakerOf(request.headers, target.kind, scopes.includes('admin'))
      : null;
    const ofSpeaker = speaker && { ...ofKey, actorId: speaker.user, sessionId: speaker.session };
    // A key of one actor reaches less than the runtime on behalf of this actor.
    if (ofSpeaker !== null && ofKey.actorId === null) request.reach = ofSpeaker;
    return (async () => {
      if (isRestricted) await this.app.keyReach.check(target, ofKey);
      if (ofSpeaker !== null) await this.app.runtimeHeaders.check(target, ofSpeaker);
    })();
  }

  /** Rejects a query or a body that the route does not declare. */
  private checkShape(context: ExecutionContext, { query, body }: FastifyRequest): void {
    if (Object.keys(query as object).length > 0 && this.isMarked(NO_QUERY, context)) {
      parseOrRefuse('query', noQuery, query);
    }
    if (!isBlank(body) && this.isMarked(NO_BODY, context)) throw new BodyNotAccepted();
  }

  private isMarked(key: string, context: ExecutionContext): boolean {
    return this.reflector.get<boolean | undefined>(key, context.getHandler()) === true;
  }
}

/** `{}` has no field: many HTTP clients send it for no body. */
const isBlank = (body: unknown): boolean =>
  body === undefined ||
  body === null ||
  (typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 0);
