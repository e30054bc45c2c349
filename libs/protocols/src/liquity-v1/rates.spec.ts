import { contractOf, readAll } from '@plimsoll/evm';
import { parseAbi, zeroAddress } from 'viem';
import { openRecording } from '../../test/open-recording';

const abi = parseAbi([
  'function getEntireDebtAndColl(address borrower) view returns (uint256 debt, uint256 coll, uint256 pendingDebt, uint256 pendingColl)',
]);

/** The debt of each trove without what redistributions add to it. */
async function ownDebts(name: string): Promise<{ debts: ReadonlyMap<string, bigint>; at: bigint }> {
  const { row, scope, wallets, block } = openRecording(name);
  const troves = await readAll(scope, 'troves', block, (plan) =>
    wallets.map((wallet) =>
      plan.call(contractOf(row, 'troveManager'), abi, 'getEntireDebtAndColl', [wallet]),
    ),
  );
  const debts = troves.map(([debt, , pending], index) => [wallets[index]!, debt - pending] as const);
  return { debts: new Map(debts), at: block.timestamp };
}

describe('rates of liquity v1', () => {
  it('are zero: after 400 days each trove that was not used owes what it owed', async () => {
    const first = await ownDebts('liquity-v1/liquity-v1-redistributed');
    const later = await ownDebts('liquity-v1/liquity-v1-recovery');
    expect(later.at - first.at).toBeGreaterThanOrEqual(400n * 86_400n);
    const unchanged = [...first.debts].filter(
      ([wallet, debt]) => debt > 0n && later.debts.get(wallet) === debt,
    );
    expect(unchanged.length).toBeGreaterThan(140);
    const { reader, block } = openRecording('liquity-v1/liquity-v1-recovery');
    expect(await reader.readRates(block)).toMatchObject([
      {
        symbol: expect.any(String),
        collateral: { token: zeroAddress },
        supply: null,
        borrow: { raw: 0n, statedBy: null },
      },
    ]);
  });
});
