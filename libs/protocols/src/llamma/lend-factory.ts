import { planOf, type BlockRef, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi, type Address } from 'viem';
import type { ReadScope } from '../reader/family';

/** The functions of both factories. */
export const factoryAbi = parseAbi(['function market_count() view returns (uint256)']);
const firstAbi = parseAbi([
  'function vaults(uint256 index) view returns (address)',
  'function controller() view returns (address)',
  'function amm() view returns (address)',
  'function borrowed_token() view returns (address)',
  'function collateral_token() view returns (address)',
]);
const secondAbi = parseAbi([
  'struct Market { address vault; address controller; address amm; address collateral_token; address borrowed_token; address price_oracle; address monetary_policy; }',
  'function markets(uint256 n) view returns (Market)',
]);
const VAULT_PARTS = ['controller', 'amm', 'borrowed_token', 'collateral_token'] as const;

/** Addresses of a market in lower case, as its factory or its vault returns them. */
export type LendMarketParts = Record<'vault' | 'controller' | 'amm' | 'borrowed' | 'collateral', Address>;

/** The part of the scope that reads the markets of a factory. */
type FactoryScope = Pick<ReadScope, 'row' | 'multicall'>;

/** A factory of LlamaLend: its name in a row's contracts, and how it lists its markets. */
export interface LendFactory {
  contract: string;
  readMarkets(
    scope: FactoryScope,
    factory: Address,
    count: number,
    block: BlockRef,
  ): Promise<LendMarketParts[]>;
}

/** All markets of the row's factory, in its order. @throws ChainReadError */
export async function readLendMarkets(
  scope: FactoryScope,
  { contract, readMarkets }: LendFactory,
  block: BlockRef,
): Promise<LendMarketParts[]> {
  const { row, multicall } = scope;
  const factory = contractOf(row, contract);
  const count = Number(
    await readAll({ row, multicall }, 'factory', block, (plan) =>
      plan.call(factory, factoryAbi, 'market_count', []),
    ),
  );
  return readMarkets(scope, factory, count, block);
}

/** The first factory lists vaults, which return their market. */
export const FIRST_FACTORY: LendFactory = {
  contract: 'oneWayFactory',
  async readMarkets({ row, multicall }, factory, count, block) {
    const vaults = await readAll({ row, multicall }, 'vaults', block, (plan) =>
      Array.from({ length: count }, (_, index) => plan.call(factory, firstAbi, 'vaults', [BigInt(index)])),
    );
    const plan = planOf(row, 'markets');
    const slots = vaults.map((vault) => VAULT_PARTS.map((part) => plan.call(vault, firstAbi, part, [])));
    return multicall.read(
      plan.build(({ value }) =>
        slots.map((each, index) => {
          const [controller, amm, borrowed, collateral] = each.map((slot) => lowerCase(value(slot)));
          const vault = lowerCase(vaults[index]!);
          return { vault, controller: controller!, amm: amm!, borrowed: borrowed!, collateral: collateral! };
        }),
      ),
      block,
    );
  },
};

/**
 * The second factory lists markets itself (curvefi/curve-stablecoin, LendFactory.vy; `@curvefi/llamalend-api`
 * 2.5.2, OneWayLendingFactoryV2).
 */
export const SECOND_FACTORY: LendFactory = {
  contract: 'oneWayFactoryV2',
  readMarkets({ row, multicall }, factory, count, block) {
    const plan = planOf(row, 'markets');
    const slots = Array.from({ length: count }, (_, index) =>
      plan.call(factory, secondAbi, 'markets', [BigInt(index)]),
    );
    return multicall.read(
      plan.build(({ value }) =>
        slots.map((slot) => {
          const {
            vault,
            controller,
            amm,
            borrowed_token: borrowed,
            collateral_token: collateral,
          } = value(slot);
          return {
            vault: lowerCase(vault),
            controller: lowerCase(controller),
            amm: lowerCase(amm),
            borrowed: lowerCase(borrowed),
            collateral: lowerCase(collateral),
          };
        }),
      ),
      block,
    );
  },
};
