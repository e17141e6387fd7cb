import { Body, Controller, Headers, HttpCode, Inject } from '@nestjs/common';
import { ReceiveNotice, type Clock, type Connector, type ConnectorStore } from '@turnkeeper/application';
import {
  decodeZegoBody,
  parseOrRefuse,
  routes,
  zegoCallbackBody,
  type InputOf,
  type OutputOf,
} from '@turnkeeper/contracts';
import {
  ConnectorNotFound,
  ConnectorSignatureInvalid,
  ConnectorSignatureStale,
  validSecrets,
} from '@turnkeeper/domain';
import { verifyAgora, verifyZegoCallback } from '@turnkeeper/webhooks';
import { Input, Route } from '../http/route.js';
import { CLOCK, CONNECTOR_STORE } from '../tokens.js';

const { receiveAgoraNotice, receiveZegoCallback } = routes;

/** Accepts vendor callbacks. No API key: the vendor's signature over the body authenticates them. */
@Controller()
export class CallbacksController {
  constructor(
    @Inject(ReceiveNotice) private readonly receiveNotice: ReceiveNotice,
    @Inject(CONNECTOR_STORE) private readonly connectors: ConnectorStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Route(receiveAgoraNotice)
  @HttpCode(200)
  async agora(
    @Input(receiveAgoraNotice) { path }: InputOf<typeof receiveAgoraNotice>,
    @Headers('agora-signature') signature: string | undefined,
    @Headers('agora-signature-v2') signatureV2: string | undefined,
    @Body() body: Buffer | undefined,
  ): Promise<OutputOf<typeof receiveAgoraNotice>> {
    const connector = await this.require('agora', path.connectorId);
    const raw = body ?? Buffer.alloc(0);
    if (!verifyAgora(this.secretsOf(connector), raw, { signature, signatureV2 })) throw new ConnectorSignatureInvalid();
    return { received: true, duplicate: !(await this.receiveNotice.agora(connector, raw)) };
  }

  @Route(receiveZegoCallback)
  @HttpCode(200)
  async zego(
    @Input(receiveZegoCallback) { path }: InputOf<typeof receiveZegoCallback>,
    @Body() body: Buffer | undefined,
  ): Promise<OutputOf<typeof receiveZegoCallback>> {
    const connector = await this.require('zegocloud', path.connectorId);
    const raw = body ?? Buffer.alloc(0);
    const callback = parseOrRefuse('body', zegoCallbackBody, decodeZegoBody(raw.toString('utf8')));
    const signed = { timestamp: callback.Timestamp, nonce: callback.Nonce };
    const verdict = verifyZegoCallback(
      this.secretsOf(connector),
      { ...signed, signature: callback.Signature },
      this.clock.now(),
    );
    if (verdict === 'invalid') throw new ConnectorSignatureInvalid();
    if (verdict === 'stale') throw new ConnectorSignatureStale();
    const result = await this.receiveNotice.zego(connector, raw, callback, {
      signature: callback.Signature.toLowerCase(),
    });
    if (result === 'stamp_used') throw new ConnectorSignatureStale();
    return { received: true, duplicate: result === 'duplicate' };
  }

  private async require<V extends Connector['vendor']>(vendor: V, connectorId: string) {
    const connector = await this.connectors.findByPath(vendor, connectorId);
    if (connector === null) throw new ConnectorNotFound();
    return connector as Extract<Connector, { vendor: V }>;
  }

  private secretsOf({ secrets }: Connector): string[] {
    return validSecrets(secrets, this.clock.now()).map(({ secret }) => secret);
  }
}
