import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { demoWallet } from '@plimsoll/devnet';
import { encryptKey } from '@plimsoll/keystore';
import { writeJsonFile } from './json-file';

/**
 * Far beyond the wallets with positions. Its key follows from a public seed, as theirs do, so it is only for
 * local chains.
 */
const KEEPER = demoWallet(1_000_000);

/** The address that triggers the executor contracts of the local chains. */
export const KEEPER_ADDRESS = KEEPER.address;

/** Opens the keeper's file. Any user who can read the file on this machine can read this too. */
export const KEEPER_PASSWORD = 'local';

/** Writes the keeper's key in the format of services, at the first start. */
export async function ensureKeeperFile(file: string): Promise<void> {
  if (existsSync(file)) return;
  const randomness = { salt: randomBytes(32), iv: randomBytes(16) };
  writeJsonFile(file, await encryptKey(KEEPER.privateKey, KEEPER_PASSWORD, randomness));
}
