import { Controller, Get, Header, Headers, Param, Res } from '@nestjs/common';
import { apiDocument } from '@turnkeeper/vendors';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/auth.guard.js';
import { sendAsset } from '../http/static-asset.js';
import { errorsPage } from './error-catalogue.js';
import { EXPLORER_POLICY, explorerPage, ExplorerAssets } from './explorer.js';
import { pageOf } from './html.js';
import { docsPage } from './page.js';

const HTML = 'text/html; charset=utf-8';
/** For pages without scripts. */
const PLAIN_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const FRONT_PAGE = pageOf(
  'Turnkeeper',
  `<h1>Turnkeeper</h1><p>Self-hosted, event-sourced memory for conversational agents.</p><nav><a href="/docs">API: read it and
try it out</a><a href="/docs/errors">Errors</a><a href="/openapi.json">openapi.json</a><a href="/readyz">Health</a></nav>`,
);

/** The API document, for programs and people. Identical for all callers, so no key is needed. */
@Controller()
export class DocsController {
  private readonly document = apiDocument();
  private readonly json = JSON.stringify(this.document);
  private readonly plainPage = docsPage(this.document);
  private readonly errors = errorsPage();
  private readonly explorer = explorerPage('Turnkeeper');
  private readonly assets = new ExplorerAssets();

  @Get()
  @Public()
  @Header('content-type', HTML)
  @Header('content-security-policy', PLAIN_POLICY)
  front(): string {
    return FRONT_PAGE;
  }

  @Get('openapi.json')
  @Public()
  @Header('content-type', 'application/json; charset=utf-8')
  openApi(): string {
    return this.json;
  }

  @Get('docs')
  @Public()
  @Header('content-type', HTML)
  @Header('content-security-policy', EXPLORER_POLICY)
  interactive(): string {
    return this.explorer;
  }

  /** The version without scripts. */
  @Get('docs/plain')
  @Public()
  @Header('content-type', HTML)
  @Header('content-security-policy', PLAIN_POLICY)
  plain(): string {
    return this.plainPage;
  }

  @Get('docs/assets/:name')
  @Public()
  asset(
    @Param('name') name: string,
    @Headers('accept-encoding') accepted: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const asset = this.assets.get(name);
    if (asset === null) throw Object.assign(new Error('There is no such file.'), { statusCode: 404 });
    sendAsset(reply, asset, { accepted, known }, 'public, max-age=3600');
  }

  /** Target of a problem's `type`; each code is an anchor. */
  @Get('docs/errors')
  @Public()
  @Header('content-type', HTML)
  @Header('content-security-policy', PLAIN_POLICY)
  errorCodes(): string {
    return this.errors;
  }
}
