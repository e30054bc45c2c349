export { canonicalJson, type Receipt, type SimulationReceipt } from '@plimsoll/receipts';
export { verifyReceipt, type ReceiptKey, type VerifyReceiptOptions } from './verification/verify-receipt';
export { MEANINGS, NEXT_STEPS, type VerifyCode } from './verification/codes';
export type { Step, Verification } from './verification/steps';
