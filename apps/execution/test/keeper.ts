import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, type TestFolder } from '@plimsoll/testing';
import { type Hex, keccak256, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { encryptKey } from '@plimsoll/keystore';

const keyOf = (name: string): Hex => keccak256(stringToHex(`plimsoll test ${name}`));
const PASSWORD = 'correct horse';

/** Returns a key that triggers the executor in tests. */
export const keeperOf = (name: string) => privateKeyToAccount(keyOf(name));
export const KEEPER = keeperOf('keeper');

/** Returns the variables of a service with the key in an encrypted file. */
export async function keeperSettings(name = 'keeper'): Promise<{
  folder: TestFolder;
  settings: { KEYSTORE_FILE: string; KEYSTORE_PASSWORD: string };
}> {
  const folder = await createTestFolder();
  const file = path.join(folder.path, 'keeper.json');
  const randomness = { salt: Buffer.alloc(32, 7), iv: Buffer.alloc(16, 9) };
  await writeFile(file, JSON.stringify(await encryptKey(keyOf(name), PASSWORD, randomness)));
  return { folder, settings: { KEYSTORE_FILE: file, KEYSTORE_PASSWORD: PASSWORD } };
}
