import { Controller, Get, Header } from '@nestjs/common';
import { openApiDocument } from '@turnkeeper/contracts';
import { Public } from '../auth/auth.guard.js';
import { errorsPage } from './error-catalogue.js';
import { docsPage } from './page.js';

/** The API's description, for programs and for people. The same for all callers, so it needs no key. */
@Controller()
export class DocsController {
  private readonly document = openApiDocument();
  private readonly json = JSON.stringify(this.document);
  private readonly page = docsPage(this.document);
  private readonly errors = errorsPage();

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

  /** Where the `type` of a problem leads; each code is an anchor. */
  @Get('docs/errors')
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
  errorCodes(): string {
    return this.errors;
  }
}
