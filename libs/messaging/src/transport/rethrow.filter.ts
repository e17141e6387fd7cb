import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Passes a handler's error to the transport unchanged. Nest's own filter turns every error into "Internal server
 * error", so that its type is lost. Use it globally: `app.useGlobalFilters(new RethrowFilter())`.
 */
@Catch()
export class RethrowFilter implements RpcExceptionFilter<unknown> {
  catch(exception: unknown): Observable<never> {
    return throwError(() => exception);
  }
}
