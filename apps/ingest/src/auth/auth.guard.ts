import {
  createParamDecorator,
  Inject,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Scope } from '@turnkeeper/contracts';
import { MissingScope } from './auth-errors.js';
import { Authenticator, type Caller } from './authenticator.js';

const SCOPE = 'turnkeeper:scope';

/** The scope that a route needs; `@Route` sets it from the route table. */
export const RequireScope = (scope: Scope) => SetMetadata(SCOPE, scope);

const PUBLIC = 'turnkeeper:public';

/** A route that needs no key: what it gives is for everybody, or it knows its caller in another way. */
export const Public = () => SetMetadata(PUBLIC, true);

/** The calling tenant's id. */
export const TenantId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<{ tenantId: string }>().tenantId,
);

@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.reflector.get<boolean | undefined>(PUBLIC, context.getHandler()) === true) return true;
    const request = context.switchToHttp().getRequest<{
      headers: { authorization?: string };
      tenantId?: string;
    }>();
    const scope = this.reflector.get<Scope>(SCOPE, context.getHandler());
    const admit = (caller: Caller): boolean => {
      if (!caller.scopes.includes(scope)) throw new MissingScope(scope);
      request.tenantId = caller.tenantId;
      return true;
    };
    const caller = this.authenticator.authenticate(request.headers.authorization);
    return caller instanceof Promise ? caller.then(admit) : admit(caller);
  }
}
