import { planOf, type BlockRef, contractOf, lowerCase } from '@plimsoll/evm';
import type { Address } from 'viem';
import { fluidDebtUsd, fluidFigures, fluidPrincipal, isFluidPrice, type FluidHolding } from './math';
import {
  collateralLeg,
  debtLeg,
  type PricedToken,
  basePrice,
  positionBase,
  unreadablePosition,
} from '../reader/legs';
import type { Family, HeldAccount } from '../reader/family';
import type { RawPosition } from '../reader/raw-position';
import { readEach, readFurther } from '../reader/read-each';
import type { Token } from '../reader/tokens';
import { fluidAbi as abi, readFluidLayout, type FluidLayout, type FluidSides } from './layout';
import { addSideUsd } from './side-usd';
import { readFluidRates } from './rates';
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
  /** The NFTs that the resolver cannot read: it reads the oracle of their vault too. */
  failed: readonly string[];
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
          if (!isFluidPrice(price)) return [];
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
        return ({ outcome }): FluidAccount => {
          const holdings: FluidAccount['holdings'][number][] = [];
          const failed: string[] = [];
          for (const { id, vault, position } of slots) {
            const [where, result] = [outcome(vault), outcome(position)];
            if (!where.ok || !result.ok) {
              failed.push(id);
              continue;
            }
            const { supply, borrow, dustBorrow, tick } = result.value;
            if (supply + borrow > 0n)
              holdings.push({ id, vault: lowerCase(where.value), supply, borrow, dust: dustBorrow, tick });
          }
          return { wallet, keys: holdings.map(({ vault }) => vault), holdings, failed };
        };
      }),
    );
  },

  evaluate(row, { block, vaults }, { wallet, holdings, failed }) {
    const held = holdings.map(({ id, vault, ...holding }): RawPosition => {
      const state = vaults.get(vault);
      return state
        ? { ...positionBase(row, block, wallet, id), ...figuresOf(state, holding) }
        : unreadablePosition(row, block, wallet, id);
    });
    return [...held, ...failed.map((id) => unreadablePosition(row, block, wallet, id))];
  },

  readTotals: readFluidTotals,

  readRates: readFluidRates,
};

function figuresOf(vault: FluidVault, holding: FluidHolding) {
  const { price, thresholdBps, bonusBps, exchangePrices, oracle } = vault;
  const [supply, borrow] = [tokenOf(vault.supply), tokenOf(vault.borrow)];
  const { collateralValue, totalDebt, healthFactor } = fluidFigures(holding, vault);
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
  if (totalDebt > 0n) {
    const rawOf = (amount: bigint): bigint => fluidPrincipal(amount, exchangePrices.borrow);
    const scaledRaw = rawOf(holding.borrow) + rawOf(holding.dust);
    legs.push(debtLeg(debt, { amountRaw: totalDebt, scaledRaw }));
  }
  return {
    legs,
    totalCollateralRaw: collateralValue,
    totalDebtRaw: totalDebt,
    priceDecimals: borrow.decimals,
    usdPerBaseRaw: vault.usdPerDebtRaw,
    healthFactorRaw: healthFactor,
  };
}

/** The token in the form of a leg. */
function tokenOf({ address, symbol, decimals }: FluidSides['supply']): Token {
  return { address, symbol, decimals };
}
