import { planOf, type BlockRef, contractOf, lowerCase } from '@plimsoll/evm';
import { zeroAddress, type Address, type Hex } from 'viem';
import { WAD } from '../fixed-point/math';
import { ilkRate, makerFigures, makerPrice } from './math';
import type { Family } from '../reader/family';
import { collateralLeg, debtLeg, dollarToken, positionBase, unreadablePosition } from '../reader/legs';
import { bonusOfFactor } from '../reader/liquidation-bonus';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { readSymbols, type Token } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';
import { dogAbi, engineAbi, jugAbi, makerAbi, spotAbi, vatAbi } from './abi';
import { readMakerAccounts, type MakerAccount, enginesOf } from './accounts';
import { nameOf } from './ilk-name';
import { readMakerRates } from './rates';
import { readMakerTotals } from './totals';

const DECIMALS = 18;
const PRICE_DECIMALS = 27;
const BPS_TO_RAY = 10_000n * 10n ** 27n;

interface MakerLayout {
  debt: Token;
  /** The debt token by ilk. The ilks of lockstake lend USDS and all others lend DAI. */
  debts: ReadonlyMap<Hex, Token>;
  /** Collateral by ilk. The vat counts all of it with 18 decimals. */
  tokens: ReadonlyMap<Hex, Token>;
}

interface MakerMarket {
  layout: MakerLayout;
  block: BlockRef;
  spotter: Address;
  /** Market prices of the lent tokens in dollars, wad, as far as an oracle of the chain has them. */
  lentUsd: ReadonlyMap<Address, bigint | null>;
  /** Rates after a drip. */
  ilks: ReadonlyMap<Hex, { spot: bigint; rate: bigint; price: bigint; mat: bigint; bonusBps: bigint }>;
}

/**
 * Vaults of Maker (Sky): one row is the vat with its CDP manager and the engines of lockstake; a sub-id is
 * the number of a vault, the address of an engine's urn, or the ilk and address of another urn of the vat. A price is valid until the spotter is poked, so
 * these are the prices that liquidations use.
 */
export const maker: Family<MakerLayout, MakerMarket, MakerAccount> = {
  async readLayout(scope, block, keys) {
    const { row, multicall } = scope;
    const registry = contractOf(row, 'ilkRegistry');
    const plan = planOf(row, 'ilks');
    const slots = keys.map((ilk) => plan.call(registry, makerAbi, 'gem', [ilk as Hex]));
    const lenders = enginesOf(row).map((engine) => ({
      ilk: plan.call(engine, engineAbi, 'ilk', []),
      usds: plan.call(engine, engineAbi, 'usds', []),
    }));
    const { gems, lent } = await multicall.read(
      plan.build(({ value }) => ({
        gems: slots.map((slot) => lowerCase(value(slot))),
        lent: lenders.map(({ ilk, usds }) => ({ ilk: value(ilk), usds: lowerCase(value(usds)) })),
      })),
      block,
    );
    const addresses = [contractOf(row, 'dai'), ...gems, ...lent.map(({ usds }) => usds)];
    const [debt, ...named] = (await readSymbols(scope, addresses, block)).map((token): Token => {
      // The vat counts every ilk and its dollars in wad.
      return { ...token, decimals: DECIMALS };
    });
    const debts = lent.map(({ ilk }, index): [Hex, Token] => [ilk, named[gems.length + index]!]);
    const tokens = named.slice(0, gems.length).map((token, index): [Hex, Token] => {
      const ilk = keys[index] as Hex;
      // Governance removed this ilk from the registry, so only its name states the collateral: "ETH-A".
      const symbol = token.address === zeroAddress ? nameOf(ilk) : token.symbol;
      return [ilk, { ...token, symbol }];
    });
    return { debt: debt!, debts: new Map(debts), tokens: new Map(tokens) };
  },

  async readMarket({ row, multicall, usdOracles }, layout, block) {
    const [vat, jug, spotter, dog] = ['vat', 'jug', 'spot', 'dog'].map((name) => contractOf(row, name)) as [
      Address,
      Address,
      Address,
      Address,
    ];
    const plan = planOf(row, 'rates');
    const base = plan.call(jug, jugAbi, 'base', []);
    const par = plan.call(spotter, spotAbi, 'par', []);
    const lent = [layout.debt, ...layout.debts.values()].map(({ address }) => ({
      address,
      usd: addUsdPrice(plan, usdOracles, address),
    }));
    const slots = [...layout.tokens.keys()].map((ilk) => ({
      ilk,
      state: plan.call(vat, vatAbi, 'ilks', [ilk]),
      fee: plan.call(jug, jugAbi, 'ilks', [ilk]),
      ratio: plan.call(spotter, spotAbi, 'ilks', [ilk]),
      penalty: plan.call(dog, dogAbi, 'ilks', [ilk]),
    }));
    return multicall.read(
      plan.build((results) => {
        const { value, outcome } = results;
        const common = { base: value(base), par: value(par) };
        const ilks = slots.map(({ ilk, state, fee, ratio, penalty }) => {
          const [[, rate, spot], [duty, lastDrip], [, mat]] = [value(state), value(fee), value(ratio)];
          const accrued = ilkRate({ rate, duty, base: common.base, lastDrip }, block.timestamp);
          const liquidated = outcome(penalty);
          const bonusBps = liquidated.ok ? bonusOfFactor(liquidated.value[1]) : 0n;
          const price = makerPrice(spot, mat, common.par);
          return [ilk, { spot, rate: accrued, price, mat, bonusBps }] as const;
        });
        const lentUsd = new Map(lent.map(({ address, usd }) => [address, usd(results)]));
        return { layout, block, spotter, lentUsd, ilks: new Map(ilks) };
      }),
      block,
    );
  },

  readAccounts: readMakerAccounts,

  readTotals: readMakerTotals,

  readRates: readMakerRates,

  evaluate(row, { layout, block, spotter, lentUsd, ilks }, { wallet, vaults }) {
    const positions: RawPosition[] = [];
    for (const { id, ilk, proxy, ...urn } of vaults) {
      const [state, token] = [ilks.get(ilk), layout.tokens.get(ilk)];
      if (!state || !token) {
        positions.push(unreadablePosition(row, block, wallet, id));
        continue;
      }
      const { collateralValue, debt, healthFactor } = makerFigures(urn, state);
      const priced = { priceDecimals: PRICE_DECIMALS, oracle: spotter };
      const legs: RawLeg[] = [];
      if (urn.ink > 0n) {
        const collateral = { ...token, ...priced, priceRaw: state.price };
        const threshold = state.mat === 0n ? 0n : BPS_TO_RAY / state.mat;
        legs.push(collateralLeg(collateral, { amountRaw: urn.ink }, threshold, state.bonusBps));
      }
      if (urn.art > 0n) {
        const lent = layout.debts.get(ilk) ?? layout.debt;
        const dollar = dollarToken(lent, spotter, lentUsd.get(lent.address) ?? null);
        legs.push(debtLeg(dollar, { amountRaw: debt, scaledRaw: urn.art }));
      }
      positions.push({
        ...positionBase(row, block, wallet, id),
        ...(proxy !== undefined && { proxy: { kind: 'ds-proxy' as const, address: proxy } }),
        legs,
        totalCollateralRaw: collateralValue,
        totalDebtRaw: debt,
        priceDecimals: DECIMALS,
        usdPerBaseRaw: WAD,
        healthFactorRaw: healthFactor,
      });
    }
    return positions;
  },
};
