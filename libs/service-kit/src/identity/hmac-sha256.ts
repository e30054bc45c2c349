import { type KeyObject, hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * Returns HMAC-SHA256 (RFC 2104) under one key, of ASCII text, in base64url. Two one-shot hashes cost less
 * than half of createHmac, which creates OpenSSL objects for each message.
 */
export function hmacSha256(secret: KeyObject): (text: string) => string {
  const exported = secret.export();
  const key = exported.length > BLOCK_BYTES ? hash('sha256', exported, 'buffer') : exported;
  const padded = (pad: number, extraBytes: number): Buffer => {
    const block = Buffer.alloc(BLOCK_BYTES + extraBytes);
    for (let at = 0; at < BLOCK_BYTES; at += 1) block[at] = (key[at] ?? 0) ^ pad;
    return block;
  };
  let inner = padded(INNER_PAD, 1_024);
  const outer = padded(OUTER_PAD, DIGEST_BYTES);
  return (text) => {
    if (inner.length < BLOCK_BYTES + text.length) inner = padded(INNER_PAD, 2 * text.length);
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES, 'latin1');
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}
