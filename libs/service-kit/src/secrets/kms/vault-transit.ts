import { readFile } from 'node:fs/promises';
import { type KeyManagement, requestJson, textOf } from './key-management';

const NAME = 'Vault';

/** The key, and the variables of Vault. */
export interface VaultPlace {
  /** Origin and mount, as in https://vault.example:8200/transit. */
  mount: URL;
  keyName: string;
  /** The standard variables of Vault, read for each request. */
  environment(): NodeJS.ProcessEnv;
}

/**
 * A key of Vault's transit engine (aes256-gcm96 by default), by its HTTP API. The purpose is its associated data. The token is
 * VAULT_TOKEN, or the file VAULT_TOKEN_FILE, which Vault Agent renews. VAULT_NAMESPACE is optional.
 */
export class VaultTransit implements KeyManagement {
  constructor(private readonly place: VaultPlace) {}

  async wrap(key: Buffer, purpose: string): Promise<string> {
    const { ciphertext } = await this.call('encrypt', {
      plaintext: key.toString('base64'),
      associated_data: Buffer.from(purpose).toString('base64'),
    });
    return textOf(NAME, 'ciphertext', ciphertext);
  }

  async unwrap(wrapped: string, purpose: string): Promise<Buffer> {
    const { plaintext } = await this.call('decrypt', {
      ciphertext: wrapped,
      associated_data: Buffer.from(purpose).toString('base64'),
    });
    return Buffer.from(textOf(NAME, 'plaintext', plaintext), 'base64');
  }

  private async call(operation: 'encrypt' | 'decrypt', parameters: object): Promise<Record<string, unknown>> {
    const { mount, keyName, environment } = this.place;
    const env = environment();
    const file = env['VAULT_TOKEN_FILE'];
    const token = file ? (await readFile(file, 'utf8')).trim() : env['VAULT_TOKEN'];
    if (!token) throw new Error('Vault needs VAULT_TOKEN or VAULT_TOKEN_FILE');
    const namespace = env['VAULT_NAMESPACE'];
    const url = `${mount.origin}/v1${mount.pathname}/${operation}/${keyName}`;
    const { data } = await requestJson<{ data?: Record<string, unknown> }>(NAME, url, {
      method: 'POST',
      headers: {
        'x-vault-token': token,
        'x-vault-request': 'true',
        'content-type': 'application/json',
        ...(namespace && { 'x-vault-namespace': namespace }),
      },
      body: JSON.stringify(parameters),
    });
    return data ?? {};
  }
}
