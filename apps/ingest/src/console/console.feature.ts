import type { Feature } from '../feature.js';
import { CONSOLE_BUILD, ConsoleFiles } from './console-files.js';
import { CONSOLE_FILES, ConsoleController } from './console.controller.js';

/** The operator's console: static files that use the public API. */
export const consoleFeature: Feature = {
  controllers: [ConsoleController],
  providers: (_stores, { settings, logger }) => {
    const issuer = settings.OIDC_CLIENT_ID === undefined ? undefined : settings.OIDC_ISSUER;
    const origin = issuer === undefined ? null : new URL(issuer).origin;
    const files = settings.CONSOLE === 'off' ? null : ConsoleFiles.open(CONSOLE_BUILD, origin);
    if (files === null && settings.CONSOLE === 'on') logger.warn({}, 'console.not_built');
    return [{ provide: CONSOLE_FILES, useValue: files }];
  },
};
