import { readFile } from 'node:fs/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import { privateKeyToAddress, sign } from 'viem/accounts';
import { ExecutionConfig } from '../config';
import { type DigestSignature, KeyStore } from './key-store';
import { decryptKey } from '@plimsoll/keystore';

/** The key of an encrypted file, held in memory, for development and single machines. */
@Injectable()
export class LocalKeyStore extends KeyStore implements OnModuleInit {
  #key: Hex | null = null;
  #address: Address | null = null;

  constructor(private readonly config: ExecutionConfig) {
    super();
  }

  async onModuleInit(): Promise<void> {
    const { KEYSTORE_FILE, KEYSTORE_PASSWORD } = this.config;
    if (KEYSTORE_FILE === '') return;
    const file: unknown = JSON.parse(await readFile(KEYSTORE_FILE, 'utf8'));
    this.#key = await decryptKey(file, KEYSTORE_PASSWORD);
    this.#address = privateKeyToAddress(this.#key);
  }

  address(): Address | null {
    return this.#address;
  }

  async sign(digest: Hex): Promise<DigestSignature> {
    if (this.#key === null) throw new Error('There is no key. Set KEYSTORE_FILE.');
    const { r, s, yParity } = await sign({ hash: digest, privateKey: this.#key });
    return { r, s, yParity: yParity === 1 ? 1 : 0 };
  }
}
