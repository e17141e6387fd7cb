import type { Clock, VendorApp, VendorAppStore } from '@turnkeeper/application';
import { parseOrRefuse, zegoQuery } from '@turnkeeper/contracts';
import { verifyZegoRequest } from '@turnkeeper/webhooks';
import { ZEGO_CODES, ZegoRefusal } from './zego-refusal.js';

const refuse = (code: number, message: string): never => {
  throw new ZegoRefusal(code, message);
};

/** Finds out who sent a request, and whether that is true. */
export class ZegoGate {
  constructor(private readonly deps: { readonly vendorApps: VendorAppStore; readonly clock: Clock }) {}

  /** Rejects with a `ZegoRefusal`. */
  async admit(query: unknown): Promise<{ readonly action: string; readonly app: VendorApp }> {
    const { Action, AppId, SignatureNonce, Timestamp, Signature, SignatureVersion } = parseOrRefuse(
      'query',
      zegoQuery,
      query,
    );
    if (!/^[1-9]\d{0,9}$/.test(AppId)) refuse(ZEGO_CODES.appIdMalformed, 'AppId must be a number.');
    if (Timestamp === '') refuse(ZEGO_CODES.timestampMissing, 'Timestamp is empty.');
    if (!/^\d{1,12}$/.test(Timestamp)) refuse(ZEGO_CODES.timestampMalformed, 'Timestamp must be in seconds.');
    if (SignatureNonce === '') refuse(ZEGO_CODES.nonceMissing, 'SignatureNonce is empty.');
    if (Signature === '') refuse(ZEGO_CODES.signatureMissing, 'Signature is empty.');
    if (SignatureVersion === '') refuse(ZEGO_CODES.versionMissing, 'SignatureVersion is empty.');
    if (SignatureVersion !== '2.0') refuse(ZEGO_CODES.versionUnknown, 'SignatureVersion must be 2.0.');
    if (Action === '') refuse(ZEGO_CODES.actionMissing, 'Action is empty.');
    const app = await this.senderOf(AppId, SignatureNonce, Number(Timestamp), Signature);
    return { action: Action, app };
  }

  /** Several tenants may have registered the app: the one whose secret has signed it is the sender. */
  private async senderOf(
    appId: string,
    nonce: string,
    timestampSeconds: number,
    signature: string,
  ): Promise<VendorApp> {
    const candidates = await this.deps.vendorApps.candidates('zegocloud', appId);
    if (candidates.length === 0) refuse(ZEGO_CODES.secretUnknown, 'This AppId is not registered here.');
    const now = this.deps.clock.now();
    for (const app of candidates) {
      const request = { appId: Number(appId), nonce, timestampSeconds, signature, serverSecret: app.secret ?? '' };
      const verdict = app.secret === null ? 'invalid' : verifyZegoRequest(request, now);
      if (verdict === 'stale') return refuse(ZEGO_CODES.signatureExpired, 'The signature has expired.');
      if (verdict === 'valid') return app;
    }
    return refuse(ZEGO_CODES.signatureWrong, 'The signature is wrong.');
  }
}
