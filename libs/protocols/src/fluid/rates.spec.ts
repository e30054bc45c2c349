import { contractOf, readAll } from '@plimsoll/evm';
import { type Address, parseAbi, zeroAddress } from 'viem';
import { openActivity } from '../../test/open-activity';
import type { AssetRates } from '../reader/asset-rates';

/** The words of the resolver's struct. */
const wordsAbi = parseAbi(['function getVaultEntireData(address vault) view returns (uint256[48])']);
/** Magnifiers of both rates, and the two rates of the liquidity layer before the two of the vault. */
const [SUPPLY_MAGNIFIER, BORROW_MAGNIFIER, RATES] = [21, 22, 42];

describe('rates of fluid', () => {
  const { named, makeReader, scope, after } = openActivity('fluid/fluid');
  const [usdc, wbtc, dex] = named('usdc', 'wbtc', 'dex');
  let rates: readonly AssetRates[];
  let words: ReadonlyMap<string, readonly bigint[]>;
  beforeAll(async () => {
    rates = (await makeReader().readRates(after))!;
    const vaults = [...new Set(rates.map(({ subId }) => subId))];
    const read = await readAll(scope, 'vaults', after, (plan) =>
      vaults.map((vault) =>
        plan.call(contractOf(scope.row, 'vaultResolver'), wordsAbi, 'getVaultEntireData', [vault as Address]),
      ),
    );
    words = new Map(vaults.map((vault, index) => [vault, read[index] as unknown as bigint[]]));
  });

  it('are those of the liquidity layer times the magnifiers of the vault, as the resolver states', () => {
    const sides = rates.map(({ subId, supply, borrow }) => {
      const vault = words.get(subId)!;
      const [supplied, borrowed, own, owed] = vault.slice(RATES, RATES + 4);
      if (supply) {
        expect(supply.raw).toBe(own);
        expect(own).toBe((supplied! * vault[SUPPLY_MAGNIFIER]!) / 10_000n);
        return 'supply';
      }
      expect(borrow?.raw).toBe(owed);
      expect(owed).toBe((borrowed! * vault[BORROW_MAGNIFIER]!) / 10_000n);
      return 'borrow';
    });
    expect(new Set(sides)).toEqual(new Set(['supply', 'borrow']));
    expect(rates.some(({ borrow }) => borrow !== null && borrow.raw > 0n)).toBe(true);
  });

  it('name the token of the side, and the collateral of a loan; the chain’s own coin is the zero address', () => {
    const pairs = rates.map(({ token, collateral }) => [token, collateral?.token ?? null]);
    expect(pairs).toContainEqual([wbtc, null]);
    expect(pairs).toContainEqual([usdc, wbtc]);
    expect(pairs.flat()).toContain(zeroAddress);
  });

  it('are not stated for a side of DEX shares', () => {
    expect(rates.flatMap(({ token, collateral }) => [token, collateral?.token])).not.toContain(dex);
  });
});
