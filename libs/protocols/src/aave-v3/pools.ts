import { lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi, zeroAddress } from 'viem';
import type { MarketList } from '../listing/market-list';
import { providerAbi } from './abi';

const abi = parseAbi(['function getAddressesProvidersList() view returns (address[])']);

/**
 * The pools of Aave v3 and its forks. The list may have providers without a pool. A provider that was removed is not in it,
 * and an empty entry in a registry of Aave v2's kind. Source: PoolAddressesProviderRegistry.sol of aave-v3-origin.
 */
export const aaveV3Pools: MarketList = {
  root: 'addressesProviderRegistry',
  identity: 'addressesProvider',
  async read(scope, registry, block) {
    const listed = await readAll(scope, 'providers', block, (plan) =>
      plan.call(registry, abi, 'getAddressesProvidersList', []),
    );
    const pools = await readAll(scope, 'pools', block, (plan) =>
      listed
        .filter((provider) => provider !== zeroAddress)
        .map((provider) => ({ provider, pool: plan.attempt(provider, providerAbi, 'getPool', []) })),
    );
    return pools
      .filter(({ pool }) => pool.ok && pool.value !== zeroAddress)
      .map(({ provider }) => ({ addressesProvider: lowerCase(provider) }));
  },
};
