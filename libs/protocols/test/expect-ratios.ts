import type { BlockRef } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { ProtocolReader } from '../src/reader/protocol-reader';
import type { Ratio } from '../src/reader/ratios';

/**
 * Expects that a family's ratios give its health factors at a later block too, from the earlier accounts and
 * the later unit values, within the slack.
 * @returns the number of comparisons
 */
export async function expectRatios<Market, Account>(
  reader: ProtocolReader<Market, Account>,
  wallets: readonly Address[],
  head: () => Promise<BlockRef>,
  passTime: () => Promise<unknown>,
): Promise<number> {
  const ratios = reader.ratios!;
  const block = await head();
  const { accounts } = await reader.readAccounts(wallets, block);
  const market = await reader.readMarket(block);
  const kept = [...accounts.values()].flatMap((account) =>
    (reader.evaluate(market, account) ?? []).flatMap((position) => {
      if (position.healthFactorRaw === null) return [];
      const found = ratios.ratiosOf(market, account, position);
      return found ? [{ account, subId: position.subId, found }] : [];
    }),
  );
  await passTime();
  const after = await reader.readMarket(await head());
  expect(ratios.shapeOf(after)).toBe(ratios.shapeOf(market));
  const unitValues = ratios.unitValuesOf(after);
  let compared = 0;
  for (const { account, subId, found } of kept) {
    const [own, ...conditions] = found;
    const isSame = conditions.every((ratio) => {
      const value = valueOf(ratio, unitValues);
      return value > ratio.within!.low * (1 + ratio.slack) && value < ratio.within!.high * (1 - ratio.slack);
    });
    // Rounding can remove dust completely.
    if (!isSame || own!.slack === Infinity) continue;
    const position = reader.evaluate(after, account)!.find((each) => each.subId === subId)!;
    const exact = Number(position.healthFactorRaw) / 1e18;
    const difference = Math.abs(valueOf(own!, unitValues) - exact);
    // The contract's has 18 decimals, and that of dust has few digits.
    expect(difference).toBeLessThanOrEqual((own!.slack + 1e-12) * exact + 1e-18);
    compared += own!.slack < 1e-6 ? 1 : 0;
  }
  return compared;
}

function valueOf({ legs }: Ratio, unitValues: ReadonlyMap<string, number>): number {
  const sum = (wanted: 'collateral' | 'debt'): number =>
    legs
      .filter(({ side }) => side === wanted)
      .reduce(
        (total, { unitValue, units, weight }) => total + unitValues.get(unitValue)! * units * weight,
        0,
      );
  return sum('collateral') / sum('debt');
}
