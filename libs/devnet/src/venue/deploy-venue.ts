import { encodeFunctionData, parseAbi, type Address } from 'viem';
import { tokenAbi } from '../aave/abis';
import type { DevnetAddresses } from '../addresses';
import { linkBytecode } from '../evm/artifacts';
import { connectAnvil } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';
import { USD, tokenAmount } from '../seed/amounts';
import { venueArtifact } from './artifacts';

const abi = parseAbi(['function list(address token, address feed)']);
/**
 * The venue's balance of each token: large beside every wallet of the demo, and a small part of the real
 * supply.
 */
const DEPTH_USD = 500_000_000n * USD;

/**
 * Deploys the venue where wallets of the local chain swap, over all assets of the market and at its feeds' prices.
 * @throws when a transaction reverts
 */
export async function deployVenue(rpcUrl: string, addresses: DevnetAddresses): Promise<Address> {
  const { operator } = addresses;
  const queue = await TransactionQueue.open(connectAnvil(rpcUrl), [operator]);
  const artifact = venueArtifact();
  const venue = queue.deploy(operator, 'OracleVenue', artifact.abi, linkBytecode(artifact, {}));
  for (const [symbol, { address, aggregator }] of Object.entries(addresses.assets)) {
    const listed = encodeFunctionData({ abi, functionName: 'list', args: [address, aggregator] });
    queue.call(operator, `list ${symbol}`, venue, listed);
    const amount = tokenAmount(symbol, DEPTH_USD);
    const minted = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [venue, amount] });
    queue.call(operator, `mint ${symbol}`, address, minted);
  }
  await queue.flush();
  return venue;
}
