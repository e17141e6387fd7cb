import { Controller, Get, Header } from '@nestjs/common';
import { openApiDocument } from '@turnkeeper/contracts';
import { Public } from '../auth/auth.guard.js';
import { docsPage } from './page.js';

/** The API's description, for programs and for people. The same for everybody, so it needs no key. */
@Controller()
export class DocsController {
  private readonly document = openApiDocument();
  private readonly json = JSON.stringify(this.document);
  private readonly page = docsPage(this.document);

  @Get('openapi.json')
  @Public()
  @Header('content-type', 'application/json; charset=utf-8')
  openApi(): string {
    return this.json;
  }

  @Get('docs')
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
  readable(): string {
    return this.page;
  }
}
