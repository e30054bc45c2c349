import { contractOf, type BlockRef, readAll } from '@plimsoll/evm';
import { zeroAddress } from 'viem';
import { type AssetRates, PER_YEAR_RAY, type RateUnit } from '../reader/asset-rates';
import type { ReadScope } from '../reader/family';
import type { Token } from '../reader/tokens';
import { NATIVE, fluidAbi as abi, readFluidLayout, readVaults } from './layout';

/** 10,000 is 100 % a year. Liquidity counts interest in seconds. */
const PER_YEAR_BPS: RateUnit = { ...PER_YEAR_RAY, decimals: 4 };

/**
 * The rates of the collateral and the debt of each vault. A smart side has no entry: its rate depends on the
 * trades of its DEX, and the vault states only its own reward or fee. Source: fluid-contracts-public,
 * periphery/resolvers/vault/structs.sol, ExchangePricesAndRates.
 * @throws ChainReadError
 */
export async function readFluidRates(scope: ReadScope, block: BlockRef): Promise<AssetRates[]> {
  const resolver = contractOf(scope.row, 'vaultResolver');
  const layout = await readFluidLayout(scope, block, await readVaults(scope, block));
  const vaults = [...layout.vaults].map(([vault, sides]) => ({ vault, ...sides }));
  const read = await readAll(scope, 'rates', block, (plan) =>
    vaults.map(({ vault }) => plan.attempt(resolver, abi, 'getVaultEntireData', [vault])),
  );
  return vaults.flatMap(({ vault, supply, borrow }, index): AssetRates[] => {
    const data = read[index]!;
    if (!data.ok) return [];
    const { supplyRateVault, borrowRateVault } = data.value.exchangePrices;
    const [secured, owed] = [lentToken(supply), lentToken(borrow)];
    const shared = { subId: vault, unit: PER_YEAR_BPS };
    const field = (name: string): string => `getVaultEntireData.exchangePricesAndRates.${name}`;
    return [
      ...(supply.pair
        ? []
        : [
            {
              ...shared,
              ...secured,
              collateral: null,
              supply: { raw: supplyRateVault, statedBy: field('supplyRateVault') },
              borrow: null,
            },
          ]),
      ...(borrow.pair
        ? []
        : [
            {
              ...shared,
              ...owed,
              // Shares of a DEX are no token.
              collateral: supply.pair ? null : secured,
              supply: null,
              borrow: { raw: borrowRateVault, statedBy: field('borrowRateVault') },
            },
          ]),
    ];
  });
}

const lentToken = ({ address, symbol }: Token): Pick<AssetRates, 'token' | 'symbol'> => ({
  token: address === NATIVE ? zeroAddress : address,
  symbol,
});
