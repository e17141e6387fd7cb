import { DomainError } from '@turnkeeper/domain';

/** ZEGOCLOUD's return codes that we use (their server API reference, "Return Codes"). */
export const ZEGO_CODES = {
  success: 0,
  appIdMalformed: 100_000_001,
  timestampMissing: 100_000_002,
  timestampMalformed: 100_000_003,
  signatureExpired: 100_000_004,
  signatureWrong: 100_000_005,
  actionMissing: 100_000_006,
  actionUnknown: 100_000_007,
  nonceMissing: 100_000_008,
  signatureMissing: 100_000_009,
  versionMissing: 100_000_013,
  versionUnknown: 100_000_014,
  systemError: 410_000_001,
  parameterInvalid: 410_000_003,
  jsonInvalid: 410_000_004,
  tooManyRequests: 410_000_011,
  instanceMissing: 410_001_002,
  agentExists: 410_001_008,
  agentMissing: 410_001_009,
} as const;

/** An error that ZEGOCLOUD's gateway would return; the number is the contract. */
export class ZegoRefusal extends DomainError {
  readonly kind = 'invalid';
  readonly code: string = 'zego.refused';
  constructor(
    readonly zegoCode: number,
    message: string,
  ) {
    super(message);
  }
}
