import { Controller, Get, Headers, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/auth.guard.js';
import { sendAsset } from '../http/static-asset.js';
import { APP, type App } from '../composition.js';

/** The response of an unknown path: with `CONSOLE=off` nothing reveals that there could be a console. */
const notFound = (): Error => Object.assign(new Error('There is no such route.'), { statusCode: 404 });

/**
 * The console's static files. Public, because they are the same for everyone: the page asks for a key, and all data
 * comes from the API.
 */
@Controller('console')
export class ConsoleController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Get()
  @Public()
  front(@Res() reply: FastifyReply): void {
    this.page(reply);
  }

  @Get('assets/:name')
  @Public()
  asset(
    @Param('name') name: string,
    @Headers('accept-encoding') accepted: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const asset = this.app.consoleFiles?.asset(name) ?? null;
    if (asset === null) throw notFound();
    sendAsset(reply, asset, { accepted, known }, 'public, max-age=31536000, immutable');
  }

  /** Every other path is a page of the console; the script there decides which. */
  @Get('*')
  @Public()
  anyPage(@Res() reply: FastifyReply): void {
    this.page(reply);
  }

  private page(reply: FastifyReply): void {
    if (this.app.consoleFiles === null) throw notFound();
    const { html, policy } = this.app.consoleFiles.page();
    void reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('cross-origin-opener-policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(html);
  }
}
