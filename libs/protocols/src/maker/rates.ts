import { contractOf, lowerCase, type BlockRef, readAll } from '@plimsoll/evm';
import { zeroAddress } from 'viem';
import { RAY } from '../fixed-point/math';
import { type AssetRates, PER_SECOND_RAY } from '../reader/asset-rates';
import type { RowScope } from '../reader/family';
import { readSymbols } from '../reader/tokens';
import { engineAbi, jugAbi, makerAbi } from './abi';
import { enginesOf } from './accounts';
import { nameOf } from './ilk-name';

/**
 * The stability fee of each ilk of the registry. A vault mints what it borrows, so no supplier receives it. Source:
 * makerdao/dss, jug.sol, drip.
 * @throws ChainReadError
 */
export async function readMakerRates(scope: RowScope, block: BlockRef): Promise<AssetRates[]> {
  const { row } = scope;
  const [registry, jug] = [contractOf(row, 'ilkRegistry'), contractOf(row, 'jug')];
  const { ilks, engines } = await readAll(scope, 'ilks', block, (plan) => ({
    ilks: plan.call(registry, makerAbi, 'list', []),
    engines: enginesOf(row).map((engine) => ({
      ilk: plan.call(engine, engineAbi, 'ilk', []),
      usds: plan.call(engine, engineAbi, 'usds', []),
    })),
  }));
  const { base, fees } = await readAll(scope, 'rates', block, (plan) => ({
    base: plan.call(jug, jugAbi, 'base', []),
    fees: ilks.map((ilk) => ({
      ilk,
      gem: plan.call(registry, makerAbi, 'gem', [ilk]),
      fee: plan.call(jug, jugAbi, 'ilks', [ilk]),
    })),
  }));
  const lent = new Map(engines.map(({ ilk, usds }) => [ilk, lowerCase(usds)]));
  const dai = contractOf(row, 'dai');
  const addresses = [dai, ...lent.values(), ...fees.map(({ gem }) => lowerCase(gem))];
  const named = await readSymbols(scope, [...new Set(addresses)], block);
  const symbols = new Map(named.map(({ address, symbol }) => [address, symbol]));
  return fees.flatMap(({ ilk, gem, fee: [duty, lastDrip] }): AssetRates[] => {
    // A collateral that was shut down has no fee.
    if (lastDrip === 0n) return [];
    const [token, collateral] = [lent.get(ilk) ?? dai, lowerCase(gem)];
    const raw = base + duty - RAY;
    const symbol = collateral === zeroAddress ? nameOf(ilk) : symbols.get(collateral)!;
    return [
      {
        subId: ilk,
        token,
        symbol: symbols.get(token)!,
        collateral: { token: collateral, symbol },
        unit: PER_SECOND_RAY,
        supply: null,
        // The jug states the factor of a second in two parts. One below 1 is no rate.
        borrow: raw < 0n ? null : { raw, statedBy: null },
      },
    ];
  });
}
