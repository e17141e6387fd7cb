import { Module } from '@nestjs/common';
import type { Logger, Settings } from '@turnkeeper/platform';
import { LOGGER, SETTINGS } from '@turnkeeper/runtime/nest';
import { CONSOLE_BUILD, ConsoleFiles } from './console-files.js';
import { CONSOLE_FILES, ConsoleController } from './console.controller.js';

/** The operator's console: static files that use the public API. */
@Module({
  controllers: [ConsoleController],
  providers: [
    {
      provide: CONSOLE_FILES,
      inject: [SETTINGS, LOGGER],
      useFactory: (settings: Settings, logger: Logger) => {
        const issuer = settings.OIDC_CLIENT_ID === undefined ? undefined : settings.OIDC_ISSUER;
        const origin = issuer === undefined ? null : new URL(issuer).origin;
        const files = settings.CONSOLE === 'off' ? null : ConsoleFiles.open(CONSOLE_BUILD, origin);
        if (files === null && settings.CONSOLE === 'on') logger.warn({}, 'console.not_built');
        return files;
      },
    },
  ],
})
export class ConsoleModule {}
