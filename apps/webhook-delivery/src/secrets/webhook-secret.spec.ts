import { randomBytes } from 'node:crypto';
import { generateSecret, secretBytes } from './webhook-secret';

describe('a signing secret', () => {
  it('is whsec_ and the base64 of 32 bytes', () => {
    const secret = generateSecret(randomBytes);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secretBytes(secret)).toHaveLength(32);
  });
});
