import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Hands a handler's error to the transport as it is. Nest's own filter turns every error into "Internal server error",
 * and then its type cannot decide the message's fate. Use it globally: `app.useGlobalFilters(new RethrowFilter())`.
 */
@Catch()
export class RethrowFilter implements RpcExceptionFilter<unknown> {
  catch(exception: unknown): Observable<never> {
    return throwError(() => exception);
  }
}
