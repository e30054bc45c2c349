import { NEXT_STEPS, type ReceiptKey, type Verification, verifyReceipt } from '@plimsoll/sdk/verify';

/** A receipt, and what verifies it. */
export interface ToVerify {
  /** The receipt exactly as it was received. */
  text: string;
  keys: readonly ReceiptKey[];
  /** Absent: no call is made again. */
  rpcUrl?: string;
  /** Whether storage is read with proofs. */
  proof: boolean;
}

export interface Verified extends Verification {
  /** The next step of the user after the first difference. Null: none was found. */
  next: string | null;
}

/** Sends only the request to the node. */
const send: typeof fetch = (input, init) =>
  fetch(input, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' });

async function verify({ text, ...options }: ToVerify): Promise<void> {
  const outcome = await verifyReceipt(text, { ...options, fetch: send });
  const verified: Verified = { ...outcome, next: outcome.code && NEXT_STEPS[outcome.code] };
  postMessage(verified);
}

onmessage = ({ data }: MessageEvent<ToVerify>): void => {
  verify(data).catch((error: unknown) =>
    // The page learns of an error that is thrown outside of a promise.
    queueMicrotask(() => {
      throw error;
    }),
  );
};
