import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { readFunds } from '../verdicts/funds';
import { forEachOf, liquidationVerdict, type ReadVerdicts, type Verdict } from '../verdicts/verdict';
import { fluidAbi, NATIVE } from './layout';

const abi = parseAbi([
  'function liquidate(uint256 debtAmount, uint256 colPerUnitDebt, address to, bool absorb) payable returns (uint256, uint256)',
]);
/** The largest amount that a vault's liquidation accepts, 2^128 - 1, halved. */
const MAX_AMOUNT = 1n << 127n;

/**
 * The amounts of the resolver, and whether the liquidation of the vault takes collateral of the position. A vault
 * liquidates all ticks above a price, and names no position.
 */
export const fluidVerdicts: ReadVerdicts = async (scope, positions) => {
  const { row, block, simulation } = scope;
  const resolver = contractOf(row, 'vaultResolver');
  const stated = await readAll(scope, 'verdicts', block, (plan) =>
    positions.map(({ subId }) => ({
      vault: plan.call(resolver, fluidAbi, 'vaultByNftId', [BigInt(subId)]),
      position: plan.call(resolver, fluidAbi, 'positionByNftId', [BigInt(subId)]),
    })),
  );
  const debts = positions.map(({ legs }) => legs.find(({ side }) => side === 'debt'));
  const funds = await readFunds(
    scope,
    debts.map((debt, index) => ({
      token: debt?.address ?? resolver,
      spender: lowerCase(stated[index]!.vault),
    })),
  );
  const cases = positions.map((position, index) => ({ position, index }));
  const liquidations = await forEachOf(cases, async ({ position: { subId }, index }) => {
    const amount = funds[index]! < MAX_AMOUNT ? funds[index]! : MAX_AMOUNT;
    if (debts[index] === undefined || amount === 0n) return null;
    const outcome = await simulation.inOrder(
      [
        // Without an amount it only absorbs positions of bad debt, with which a vault may have nothing else to liquidate.
        { to: stated[index]!.vault, data: liquidation(0n) },
        { to: stated[index]!.vault, data: liquidation(amount) },
        { to: resolver, data: positionCall(subId) },
      ],
      block,
    );
    if (!outcome.ok) return null;
    const after = decodeFunctionResult({
      abi: fluidAbi,
      functionName: 'positionByNftId',
      data: outcome.value,
    });
    return after.supply < stated[index]!.position.supply;
  });
  return positions.map((position, index): Verdict[] => {
    const { supply, borrow, dustBorrow } = stated[index]!.position;
    return [
      { of: 'positionByNftId: supply', computed: amountOf(position, 'collateral'), contract: supply },
      { of: 'positionByNftId: debt', computed: amountOf(position, 'debt'), contract: borrow + dustBorrow },
      ...liquidationVerdict('liquidate', position, liquidations[index]!),
    ];
  });
};

function amountOf({ legs }: RawPosition, wanted: RawLeg['side']): bigint {
  return legs.filter(({ side }) => side === wanted).reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
}

/** The collateral goes to an address without code: Multicall3 cannot receive the chain's own coin. */
function liquidation(amount: bigint) {
  return encodeFunctionData({ abi, functionName: 'liquidate', args: [amount, 0n, NATIVE, false] });
}

function positionCall(subId: string) {
  return encodeFunctionData({ abi: fluidAbi, functionName: 'positionByNftId', args: [BigInt(subId)] });
}
