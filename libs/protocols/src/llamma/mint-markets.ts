import { lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi } from 'viem';
import type { MarketList } from '../listing/market-list';

const abi = parseAbi([
  'function n_collaterals() view returns (uint256)',
  'function controllers(uint256 index) view returns (address)',
  'function amms(uint256 index) view returns (address)',
]);

/** The mint markets of crvUSD, of which each has one index. Source: curvefi/curve-stablecoin, ControllerFactory.vy. */
export const mintMarkets: MarketList = {
  root: 'controllerFactory',
  identity: 'controller',
  async read(scope, factory, block) {
    const count = await readAll(scope, 'count', block, (plan) =>
      plan.call(factory, abi, 'n_collaterals', []),
    );
    const markets = await readAll(scope, 'controllers', block, (plan) =>
      Array.from({ length: Number(count) }, (_, index) => ({
        controller: plan.call(factory, abi, 'controllers', [BigInt(index)]),
        amm: plan.call(factory, abi, 'amms', [BigInt(index)]),
      })),
    );
    return markets.map(({ controller, amm }) => ({ controller: lowerCase(controller), amm: lowerCase(amm) }));
  },
};
