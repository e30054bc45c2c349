import { createCipheriv, createDecipheriv } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A stored secret: nonce, tag and ciphertext, and the id of its key. */
export interface SealedSecret {
  keyId: string;
  sealed: Uint8Array;
}

/** Keys by their ids. The first one seals. */
export type SecretKeys = ReadonlyMap<string, Buffer>;

/** Seals secrets with the first key and opens those of all keys, so that keys can be rotated. */
export class SecretBox {
  #keys: SecretKeys;
  /**
   * Opened secrets, for as long as their sealed form is referenced. All deliveries that were claimed together
   * share one.
   */
  readonly #opened = new WeakMap<Uint8Array, { owner: string; secret: string }>();

  /** @param variable that has the keys, for errors */
  constructor(
    keys: SecretKeys,
    readonly variable: string,
    private readonly randomBytes: (size: number) => Buffer,
  ) {
    this.#keys = keys;
  }

  get keys(): SecretKeys {
    return this.#keys;
  }

  /** Seals and opens with these keys from now on. */
  use(keys: SecretKeys): void {
    this.#keys = keys;
  }

  /** @param owner record of the secret; opening it for any other record fails */
  seal(secret: string, owner: string): SealedSecret {
    const nonce = this.randomBytes(NONCE_BYTES);
    const [keyId = ''] = this.#keys.keys();
    const cipher = createCipheriv(ALGORITHM, this.#key(keyId), nonce);
    cipher.setAAD(Buffer.from(owner));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { keyId, sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
  }

  /** Throws for a key that is not configured, and for bytes that changed or belong to another record. */
  open({ keyId, sealed }: SealedSecret, owner: string): string {
    const known = this.#opened.get(sealed);
    if (known?.owner === owner) return known.secret;
    const secret = this.#open(keyId, sealed, owner);
    this.#opened.set(sealed, { owner, secret });
    return secret;
  }

  #open(keyId: string, sealed: Uint8Array, owner: string): string {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv(ALGORITHM, this.#key(keyId), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (!key)
      throw new Error(`A secret is sealed with key '${id}'. Put that key back into ${this.variable}.`);
    return key;
  }
}
