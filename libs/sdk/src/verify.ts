export {
  canonicalJson,
  type CrossingReceipt,
  type ForecastReceipt,
  type LogAnchor,
  type LogConsistency,
  type LogInclusion,
  type LogRoot,
  type Receipt,
  type SimulationReceipt,
} from '@plimsoll/receipts';
export { verifyReceipt, type VerifyReceiptOptions } from './verification/verify-receipt';
export {
  leafOf,
  verifyAnchor,
  verifyConsistency,
  verifyInclusion,
  type LogVerification,
} from './verification/verify-log';
export type { ReceiptKey } from './verification/signatures';
export { MEANINGS, NEXT_STEPS, type VerifyCode } from './verification/codes';
export { Difference, type Step, type Verification } from './verification/steps';
