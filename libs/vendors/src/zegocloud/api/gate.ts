import type { Clock, VendorApp, VendorAppStore } from '@turnkeeper/application';
import { parseOrRefuse } from '@turnkeeper/contracts';
import { verifyZegoRequest } from '../signature.js';
import { zegoQuery } from './bodies.js';
import { ZEGO_CODES, ZegoRefusal } from './codes.js';

const refuse = (code: number, message: string): never => {
  throw new ZegoRefusal(code, message);
};

/** Authenticates a request's sender. */
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
    // Fixed length, so that no digit can move between adjacent fields under the same signature.
    if (!/^\d{10}$/.test(Timestamp)) refuse(ZEGO_CODES.timestampMalformed, 'Timestamp must be in seconds.');
    if (SignatureNonce === '') refuse(ZEGO_CODES.nonceMissing, 'SignatureNonce is empty.');
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(SignatureNonce))
      refuse(ZEGO_CODES.nonceMissing, 'SignatureNonce must have 1 to 64 letters or digits.');
    if (Signature === '') refuse(ZEGO_CODES.signatureMissing, 'Signature is empty.');
    if (SignatureVersion === '') refuse(ZEGO_CODES.versionMissing, 'SignatureVersion is empty.');
    if (SignatureVersion !== '2.0') refuse(ZEGO_CODES.versionUnknown, 'SignatureVersion must be 2.0.');
    if (Action === '') refuse(ZEGO_CODES.actionMissing, 'Action is empty.');
    const app = await this.senderOf(AppId, SignatureNonce, Number(Timestamp), Signature);
    return { action: Action, app };
  }

  /**
   * Several tenants can register the same app: the sender is the one whose secret verifies. Without a valid signature,
   * registered and unregistered apps get the same response.
   */
  private async senderOf(
    appId: string,
    nonce: string,
    timestampSeconds: number,
    signature: string,
  ): Promise<VendorApp> {
    const candidates = await this.deps.vendorApps.candidates('zegocloud', appId);
    const now = this.deps.clock.now();
    for (const app of candidates) {
      const request = { appId: Number(appId), nonce, timestampSeconds, signature, serverSecret: app.secret ?? '' };
      const verdict = app.secret === null ? 'invalid' : verifyZegoRequest(request, now);
      if (verdict === 'stale') return refuse(ZEGO_CODES.signatureExpired, 'The signature has expired.');
      if (verdict === 'valid') {
        if (await this.deps.vendorApps.takeSignature(app, signature.toLowerCase())) return app;
        return refuse(ZEGO_CODES.signatureExpired, 'The signature was used before: each request needs its own nonce.');
      }
    }
    return refuse(ZEGO_CODES.signatureWrong, 'The signature is wrong.');
  }
}
