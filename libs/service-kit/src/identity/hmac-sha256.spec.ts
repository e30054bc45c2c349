import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { hmacSha256 } from './hmac-sha256';

describe('hmacSha256', () => {
  it('equals createHmac for keys and texts of any length', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 100 }),
        fc.array(fc.string({ unit: 'binary-ascii', maxLength: 3_000 }), { maxLength: 4 }),
        (bytes, texts) => {
          const key = createSecretKey(bytes);
          const mac = hmacSha256(key);
          for (const text of texts) {
            expect(mac(text)).toBe(createHmac('sha256', key).update(text).digest('base64url'));
          }
        },
      ),
    );
  });
});
