import { createCipheriv, createDecipheriv, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { scryptAsync } from '@noble/hashes/scrypt';
import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Hex, keccak256 } from 'viem';

const hex = (bytes?: number) =>
  Type.String({ pattern: bytes === undefined ? '^([0-9a-f]{2})+$' : `^[0-9a-f]{${bytes * 2}}$` });

/** Web3 Secret Storage, version 3, with scrypt: the format that geth and foundry's cast write. */
export const KeystoreFile = Type.Object({
  version: Type.Literal(3),
  crypto: Type.Object({
    cipher: Type.Literal('aes-128-ctr'),
    cipherparams: Type.Object({ iv: hex(16) }),
    ciphertext: hex(32),
    kdf: Type.Literal('scrypt'),
    kdfparams: Type.Object({
      dklen: Type.Literal(32),
      n: Type.Integer({ minimum: 1_024, maximum: 1_048_576 }),
      p: Type.Integer({ minimum: 1, maximum: 16 }),
      r: Type.Integer({ minimum: 1, maximum: 16 }),
      salt: hex(),
    }),
    mac: hex(32),
  }),
});
export type KeystoreFile = Static<typeof KeystoreFile>;

/** Random bytes for a new file. */
export interface KeystoreRandomness {
  salt: Buffer;
  iv: Buffer;
}

const N = 16_384;
const R = 8;
const P = 1;

/** Bytes that a derivation may use: 1 GiB, as the JavaScript form, which needs a few more. */
const MOST_MEMORY = 2 ** 30 + 2 ** 16;

const ofOpenSsl = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export async function encryptKey(
  privateKey: Hex,
  password: string,
  { salt, iv }: KeystoreRandomness,
): Promise<KeystoreFile> {
  const derived = await derive(password, salt, N, R, P);
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(privateKey.slice(2), 'hex')), cipher.final()]);
  return {
    version: 3,
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: iv.toString('hex') },
      ciphertext: ciphertext.toString('hex'),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, n: N, p: P, r: R, salt: salt.toString('hex') },
      mac: computeMac(derived, ciphertext).toString('hex'),
    },
  };
}

/**
 * Returns the private key of a file.
 * @throws Error when the file has another format or the password is wrong. The message never contains the password.
 */
export async function decryptKey(file: unknown, password: string): Promise<Hex> {
  if (!Value.Check(KeystoreFile, file)) {
    const first = Value.Errors(KeystoreFile, file).First();
    throw new Error(
      `keystore: ${first?.path ?? ''} ${first?.message ?? 'is not valid'}; use version 3 with scrypt`,
    );
  }
  const { ciphertext, cipherparams, kdfparams, mac } = file.crypto;
  const { salt, n, r, p } = kdfparams;
  const derived = await derive(password, Buffer.from(salt, 'hex'), n, r, p);
  const encrypted = Buffer.from(ciphertext, 'hex');
  if (!timingSafeEqual(computeMac(derived, encrypted), Buffer.from(mac, 'hex')))
    throw new Error('keystore: the password does not decrypt it');
  const decipher = createDecipheriv(
    'aes-128-ctr',
    derived.subarray(0, 16),
    Buffer.from(cipherparams.iv, 'hex'),
  );
  return `0x${Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('hex')}`;
}

function computeMac(derived: Buffer, ciphertext: Buffer): Buffer {
  const mac = keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]));
  return Buffer.from(mac.slice(2), 'hex');
}

/**
 * OpenSSL derives in a thread, ten times faster. It rejects large N with small r, which a file may have: RFC 7914 requires
 * N < 2^(16 r).
 */
async function derive(password: string, salt: Buffer, N: number, r: number, p: number): Promise<Buffer> {
  if (N < 2 ** (16 * r)) return ofOpenSsl(password, salt, 32, { N, r, p, maxmem: MOST_MEMORY });
  return Buffer.from(await scryptAsync(password, salt, { N, r, p, dkLen: 32 }));
}
