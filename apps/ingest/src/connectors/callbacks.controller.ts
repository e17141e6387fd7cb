import { Body, Controller, Headers, HttpCode, Inject, type Type } from '@nestjs/common';
import { type VendorRequest } from '@turnkeeper/application';
import { CONNECTABLE } from '@turnkeeper/vendors';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

type Callback = CallOf<(typeof CONNECTABLE)[number]['connector']['callback']>;

/** Accepts the callbacks of one vendor. No API key: the vendor's signature over the body authenticates them. */
const callbacksController = ({ name, connector }: (typeof CONNECTABLE)[number]): Type => {
  @Controller()
  class CallbacksController {
    constructor(@Inject(APP) private readonly app: App) {}

    @Route(connector.callback)
    @HttpCode(200)
    async receive(
      @Input() { path }: Callback,
      @Headers() headers: VendorRequest['headers'],
      @Body() body: Buffer | undefined,
    ) {
      const request = { raw: body ?? Buffer.alloc(0), headers };
      const { stored } = await this.app.receiveNotice.execute(name, path.connectorId, request);
      return { received: true as const, duplicate: stored === 0 };
    }
  }
  return CallbacksController;
};

/** One for each vendor that sends callbacks. */
export const CALLBACK_CONTROLLERS: readonly Type[] = CONNECTABLE.map(callbacksController);
