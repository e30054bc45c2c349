import { contractOf, readAll } from '@plimsoll/evm';
import { encodeFunctionData, parseAbi } from 'viem';
import { isLiquidatable } from '../reader/raw-position';
import { forEachOf, type ReadVerdicts, type Verdict } from '../verdicts/verdict';

const abi = parseAbi([
  'function priceFeed() view returns (address)',
  'function fetchPrice() view returns (uint256)',
  'function getEntireDebtAndColl(address borrower) view returns (uint256 debt, uint256 coll, uint256 pendingDebt, uint256 pendingColl)',
  'function getCurrentICR(address borrower, uint256 price) view returns (uint256)',
  'function checkRecoveryMode(uint256 price) view returns (bool)',
  'function liquidate(address borrower)',
]);

/**
 * The amounts and the ratio of each trove, the mode of the system, and whether liquidate succeeds. It pays coins to its
 * sender, so it is simulated only where the sender can receive them.
 */
export const liquityV1Verdicts: ReadVerdicts = async (scope, positions) => {
  const { row, block, simulation } = scope;
  const troveManager = contractOf(row, 'troveManager');
  const feed = await readAll(scope, 'price feed', block, (plan) =>
    plan.call(troveManager, abi, 'priceFeed', []),
  );
  const price = await readAll(scope, 'price', block, (plan) => plan.call(feed, abi, 'fetchPrice', []));
  const stated = await readAll(scope, 'verdicts', block, (plan) => ({
    isRecovery: plan.call(troveManager, abi, 'checkRecoveryMode', [price]),
    troves: positions.map(({ wallet }) => ({
      amounts: plan.call(troveManager, abi, 'getEntireDebtAndColl', [wallet]),
      ratio: plan.call(troveManager, abi, 'getCurrentICR', [wallet, price]),
    })),
  }));
  const { ok: canReceive } = await simulation.inOrder([{ to: simulation.sender, data: '0x' }], block);
  const liquidations = await forEachOf(canReceive ? positions : [], async ({ wallet }) => {
    const data = encodeFunctionData({ abi, functionName: 'liquidate', args: [wallet] });
    return simulation.inOrder([{ to: troveManager, data }], block);
  });
  return positions.map((position, index): Verdict[] => {
    const { amounts, ratio } = stated.troves[index]!;
    const [debt, collateral] = amounts;
    const amountOf = (side: 'collateral' | 'debt'): bigint =>
      position.legs.find((leg) => leg.side === side)?.amountRaw ?? 0n;
    const own = { collateral: amountOf('collateral'), debt: amountOf('debt') };
    return [
      { of: 'getEntireDebtAndColl, debt', computed: own.debt, contract: debt },
      { of: 'getEntireDebtAndColl, coll', computed: own.collateral, contract: collateral },
      { of: 'getCurrentICR', computed: (own.collateral * price) / own.debt, contract: ratio },
      {
        of: 'checkRecoveryMode',
        computed: position.flags.includes('recovery_mode'),
        contract: stated.isRecovery,
      },
      ...liquidations.slice(index, index + 1).map(({ ok }): Verdict => {
        return { of: 'liquidate', computed: isLiquidatable(position), contract: ok, isLiquidation: true };
      }),
    ];
  });
};
