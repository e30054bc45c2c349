import type { CodeTab } from '../design/code';

/** Verifies a request of Plimsoll in three languages. None needs a package. */
export const VERIFICATION: readonly CodeTab[] = [
  {
    id: 'typescript',
    label: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

const expected = createHmac('sha256', secret).update(rawBody).digest();
const sent = Buffer.from(headers['x-service-signature'], 'hex');
const isValid =
  sent.length === expected.length && timingSafeEqual(sent, expected);`,
    note: 'rawBody is the body as it arrived, before a parser changes it.',
  },
  {
    id: 'python',
    label: 'Python',
    code: `import hashlib, hmac

mac = hmac.new(secret.encode(), raw_body, hashlib.sha256)
is_valid = hmac.compare_digest(
    mac.hexdigest(), headers['x-service-signature'])`,
    note: 'raw_body has the bytes as they arrived.',
  },
  {
    id: 'go',
    label: 'Go',
    code: `mac := hmac.New(sha256.New, []byte(secret))
mac.Write(body)
sent, _ := hex.DecodeString(request.Header.Get("X-Service-Signature"))
isValid := hmac.Equal(sent, mac.Sum(nil))`,
    note: 'Imports crypto/hmac, crypto/sha256 and encoding/hex.',
  },
];
