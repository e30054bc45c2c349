import { lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi } from 'viem';
import type { MarketList } from '../listing/market-list';

const abi = parseAbi([
  'struct VenusPool { string name; address creator; address comptroller; uint256 blockPosted; uint256 timestampPosted; }',
  'function getAllPools() view returns (VenusPool[])',
]);

/** The isolated pools of Venus. Source: @venusprotocol/isolated-pools, Pool/PoolRegistry.sol. */
export const venusPools: MarketList = {
  root: 'poolRegistry',
  identity: 'comptroller',
  async read(scope, registry, block) {
    const pools = await readAll(scope, 'pools', block, (plan) => plan.call(registry, abi, 'getAllPools', []));
    return pools.map(({ comptroller }) => ({ comptroller: lowerCase(comptroller) }));
  },
};
