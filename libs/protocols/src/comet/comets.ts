import { readAll } from '@plimsoll/evm';
import { parseAbi, toEventSelector, zeroAddress, type Address } from 'viem';
import { addressAt } from '../activity/log-words';
import type { MarketList } from '../listing/market-list';
import type { IndexSource } from '../reader/family';

const abi = parseAbi(['function baseToken() view returns (address)']);
const DEPLOYED = toEventSelector('CometDeployed(address,address)');

/**
 * The comets of a chain. No call lists them. The configurator logs each implementation that it deploys with
 * the proxy, which only its governor can choose (setFactory). A proxy that has not been upgraded to its
 * implementation is omitted. Source: compound-finance/comet, Configurator.sol, deploy.
 */
export const comets: MarketList = {
  root: 'configurator',
  identity: 'comet',
  needsIndex: true,
  async read({ row, multicall, index }, configurator, block) {
    const found = await index!.subIdsOf(row, sourceOf(configurator), [configurator], block);
    const proxies = (found.get(configurator) ?? []) as Address[];
    const bases = await readAll({ row, multicall }, 'comets', block, (plan) =>
      proxies.map((comet) => ({ comet, base: plan.attempt(comet, abi, 'baseToken', []) })),
    );
    return bases.filter(({ base }) => base.ok && base.value !== zeroAddress).map(({ comet }) => ({ comet }));
  },
};

function sourceOf(configurator: Address): IndexSource {
  return {
    addresses: [configurator],
    topics: [DEPLOYED],
    entriesOf: (log) => [{ wallet: configurator, subId: addressAt(log, { topic: 1 }) }],
  };
}
