import { APP_GUARD } from '@nestjs/core';
import type { Feature } from '../feature.js';
import { AuthGuard } from './auth.guard.js';
import { Authenticator } from './authenticator.js';

export const authFeature: Feature = {
  controllers: [],
  providers: ({ keys, clock }) => [
    { provide: Authenticator, useValue: new Authenticator(keys, clock) },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
};
