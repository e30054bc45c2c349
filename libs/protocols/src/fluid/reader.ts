import { planOf, type BlockRef, contractOf, lowerCase } from '@plimsoll/evm';
import type { Address } from 'viem';
import { fluidDebtUsd, fluidFigures, fluidPrincipal, type FluidHolding } from './math';
import { collateralLeg, debtLeg, type PricedToken, basePrice, positionBase } from '../reader/legs';
import type { Family, HeldAccount } from '../reader/family';
import type { RawPosition } from '../reader/raw-position';
import { readEach, readFurther } from '../reader/read-each';
import type { Token } from '../reader/tokens';
import { fluidAbi as abi, readFluidLayout, type FluidLayout, type FluidSides } from './layout';
import { addSideUsd } from './side-usd';
import { readFluidTotals } from './totals';

/** Decimals of the oracle's price between the smallest units of both sides. */
const PRICE_DECIMALS = 27;

/** One vault at a block. Unreadable vaults are omitted. */
interface FluidVault extends FluidSides {
  oracle: Address;
  price: bigint;
  thresholdBps: bigint;
  /** The penalty: what a liquidator receives above the repaid debt. */
  bonusBps: bigint;
  exchangePrices: { supply: bigint; borrow: bigint };
  usdPerDebtRaw: bigint | null;
}

interface FluidMarket {
  block: BlockRef;
  vaults: ReadonlyMap<string, FluidVault>;
}

interface FluidAccount extends HeldAccount {
  holdings: readonly (FluidHolding & { id: string; vault: Address })[];
}

/**
 * Fluid: one row is the resolver of a chain with all its vaults. A sub-id is the NFT of a position. A
 * liquidation moves all positions of a tick without naming them. The amounts of smart sides are shares of
 * their DEX.
 */
export const fluid: Family<FluidLayout, FluidMarket, FluidAccount> = {
  readLayout: readFluidLayout,

  async readMarket(scope, layout, block) {
    const { row, multicall } = scope;
    const plan = planOf(row, 'vaults');
    const slots = [...layout.vaults].map(([vault, sides]) => ({
      vault,
      sides,
      data: plan.call(layout.resolver, abi, 'getVaultEntireData', [vault]),
      usd: {
        supply: addSideUsd(plan, scope, sides.supply, 'supply'),
        borrow: addSideUsd(plan, scope, sides.borrow, 'borrow'),
      },
    }));
    // An empty plan would not check the resolver.
    plan.call(layout.resolver, abi, 'getTotalVaults', []);
    return multicall.read(
      plan.build((results) => {
        const vaults = slots.flatMap(({ vault, sides, data, usd }): [string, FluidVault][] => {
          const result = results.outcome(data);
          if (!result.ok) return [];
          const { configs, exchangePrices } = result.value;
          const price = configs.oraclePriceLiquidate;
          const collateralUsd = usd.supply(results);
          const derived =
            collateralUsd === null
              ? null
              : fluidDebtUsd(collateralUsd, price, sides.supply.decimals, sides.borrow.decimals);
          const state = {
            oracle: lowerCase(configs.oracle),
            price,
            thresholdBps: BigInt(configs.liquidationThreshold),
            bonusBps: BigInt(configs.liquidationPenalty),
            exchangePrices: { supply: exchangePrices.vaultSupply, borrow: exchangePrices.vaultBorrow },
            usdPerDebtRaw: usd.borrow(results) ?? derived,
          };
          return [[vault, { ...sides, ...state }]];
        });
        return { block, vaults: new Map(vaults) };
      }),
      block,
    );
  },

  async readAccounts(scope, holders, block) {
    const resolver = contractOf(scope.row, 'vaultResolver');
    const owned = await readEach(scope, 'positions', holders, block, (plan, { wallet }) => {
      const slot = plan.call(resolver, abi, 'positionsNftIdOfUser', [wallet]);
      return ({ value }) => ({ wallet, ids: value(slot) });
    });
    return readFurther(owned, (found) =>
      readEach(scope, 'position data', found, block, (plan, { wallet, ids }) => {
        const slots = ids.map((id) => ({
          id: String(id),
          vault: plan.call(resolver, abi, 'vaultByNftId', [id]),
          position: plan.call(resolver, abi, 'positionByNftId', [id]),
        }));
        return ({ value }): FluidAccount => {
          const holdings = slots
            .map(({ id, vault, position }) => {
              const { supply, borrow } = value(position);
              return { id, vault: lowerCase(value(vault)), supply, borrow };
            })
            .filter(({ supply, borrow }) => supply + borrow > 0n);
          return { wallet, keys: holdings.map(({ vault }) => vault), holdings };
        };
      }),
    );
  },

  evaluate(row, { block, vaults }, { wallet, holdings }) {
    const positions: RawPosition[] = [];
    for (const { id, vault, ...holding } of holdings) {
      const state = vaults.get(vault);
      if (!state) return null;
      positions.push({ ...positionBase(row, block, wallet, id), ...figuresOf(state, holding) });
    }
    return positions;
  },

  readTotals: readFluidTotals,
};

function figuresOf(vault: FluidVault, holding: FluidHolding) {
  const { price, thresholdBps, bonusBps, exchangePrices, oracle } = vault;
  const [supply, borrow] = [tokenOf(vault.supply), tokenOf(vault.borrow)];
  const { collateralValue, healthFactor } = fluidFigures(holding, price, thresholdBps);
  const collateral: PricedToken = {
    ...supply,
    ...basePrice(price, PRICE_DECIMALS + borrow.decimals - supply.decimals),
    oracle,
  };
  const debt: PricedToken = { ...borrow, ...basePrice(1n, 0), oracle };
  const legs = [];
  if (holding.supply > 0n) {
    const scaledRaw = fluidPrincipal(holding.supply, exchangePrices.supply);
    legs.push(collateralLeg(collateral, { amountRaw: holding.supply, scaledRaw }, thresholdBps, bonusBps));
  }
  if (holding.borrow > 0n) {
    const scaledRaw = fluidPrincipal(holding.borrow, exchangePrices.borrow);
    legs.push(debtLeg(debt, { amountRaw: holding.borrow, scaledRaw }));
  }
  return {
    legs,
    totalCollateralRaw: collateralValue,
    totalDebtRaw: holding.borrow,
    priceDecimals: borrow.decimals,
    usdPerBaseRaw: vault.usdPerDebtRaw,
    healthFactorRaw: healthFactor,
  };
}

/** The token in the form of a leg. */
function tokenOf({ address, symbol, decimals }: FluidSides['supply']): Token {
  return { address, symbol, decimals };
}
