import { connectAnvil, seedCirculation } from '@plimsoll/devnet';
import { numberToHex, parseEther } from 'viem';
import { type RunningChain, marketFile } from './chain';
import { writeJsonFile } from './json-file';
import { KEEPER_ADDRESS } from './keeper';
import type { StartContext } from './start-parts';

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
