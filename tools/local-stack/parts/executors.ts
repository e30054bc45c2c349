import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { connectAnvil, seedCirculation, demoWallet } from '@plimsoll/devnet';
import { numberToHex, parseEther } from 'viem';
import { encryptKey } from '@plimsoll/keystore';
import { type RunningChain, marketFile } from './chain';
import { writeJsonFile } from '../settings/json-file';
import type { StartContext } from './start-parts';

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

/** The keeper's balance for gas, minted on the local chain. */
const BALANCE = numberToHex(parseEther('1000'));

/**
 * Deploys the executor contracts on a local market without them. The build writes their code, so call it
 * after the build.
 */
export async function ensureExecutors(context: StartContext, chain: RunningChain): Promise<RunningChain> {
  const { chainId, rpcUrl, addresses } = chain;
  if (!addresses || addresses.executors) return chain;
  const { morpho, venus } = addresses;
  const executors = await context.progress.step(
    `executors on ${chainId}`,
    async () => {
      // Loaded here: it reads code that the build has just written.
      const { deployExecutor } = await import('@plimsoll/devnet-executor');
      await connectAnvil(rpcUrl).request('anvil_setBalance', [KEEPER_ADDRESS, BALANCE]);
      const deployed = await deployExecutor(rpcUrl, addresses, [KEEPER_ADDRESS], {
        ...(morpho && { morpho }),
        ...(venus && { comptroller: venus }),
      });
      // The last step, because all others mint tokens.
      await seedCirculation(rpcUrl, addresses);
      return deployed;
    },
    () => 'Aave v3, Morpho Blue, Venus',
  );
  const equipped = { ...addresses, executors };
  writeJsonFile(marketFile(context, chainId), equipped);
  return { ...chain, addresses: equipped };
}
