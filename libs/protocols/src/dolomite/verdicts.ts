import { contractOf, readAll } from '@plimsoll/evm';
import { encodeFunctionData, parseAbi, zeroAddress, type Address } from 'viem';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { forEachOf, liquidationVerdict, type ReadVerdicts, type Verdict } from '../verdicts/verdict';
import { WAD } from '../fixed-point/math';
import { marginAbi } from './abi';

const abi = parseAbi([
  'struct Info { address owner; uint256 number; }',
  'struct AssetAmount { bool sign; uint8 denomination; uint8 ref; uint256 value; }',
  'struct ActionArgs { uint8 actionType; uint256 accountId; AssetAmount amount; uint256 primaryMarketId; uint256 secondaryMarketId; address otherAddress; uint256 otherAccountId; bytes data; }',
  'function getIsGlobalOperator(address operator) view returns (bool)',
  'function operate(Info[] accounts, ActionArgs[] actions)',
]);
/** Actions.ActionType of a liquidation. */
const LIQUIDATE = 6;
const NO_OVERRIDE = { value: 0n };

/**
 * The balances and adjusted values of the accounts, with the margin ratio that applies to each, and whether a liquidation
 * succeeds where the sender is an operator of the protocol with balances to pay from.
 */
export const dolomiteVerdicts: ReadVerdicts = async (scope, positions) => {
  const { row, block, simulation } = scope;
  const margin = contractOf(row, 'margin');
  const accounts = positions.map(accountOf);
  const stated = await readAll(scope, 'verdicts', block, (plan) => ({
    isOperator: plan.attempt(margin, abi, 'getIsGlobalOperator', [simulation.sender]),
    ratio: plan.call(margin, marginAbi, 'getMarginRatio', []),
    accounts: accounts.map((account) => ({
      balances: plan.call(margin, marginAbi, 'getAccountBalances', [account]),
      values: plan.call(margin, marginAbi, 'getAdjustedAccountValues', [account]),
      override: plan.attempt(margin, marginAbi, 'getMarginRatioOverrideByAccount', [account]),
    })),
  }));
  const isOperator = stated.isOperator.ok && stated.isOperator.value;
  const attempts = accounts.map((account, index) => ({ account, ...stated.accounts[index]! }));
  const liquidations = await forEachOf(attempts, async ({ account, balances }) => {
    const [marketIds, , pars] = balances;
    const marketsOf = (isSupply: boolean): bigint[] =>
      marketIds.filter((_, index) => pars[index]!.sign === isSupply && pars[index]!.value > 0n);
    const [owed, held] = [marketsOf(false), marketsOf(true)];
    if (!isOperator || owed.length === 0 || held.length === 0) return null;
    for (const debt of owed)
      for (const supply of held) {
        // The target is no debt. The contract repays as much as the supply covers.
        const amount = { sign: true, denomination: 0, ref: 1, value: 0n };
        const action = {
          actionType: LIQUIDATE,
          accountId: 0n,
          amount,
          primaryMarketId: debt,
          secondaryMarketId: supply,
          otherAddress: zeroAddress,
          otherAccountId: 1n,
          data: '0x',
        } as const;
        // An operation reads the price of every balance, so the sender pays from an account that has one asset only.
        const payer = { owner: simulation.sender, number: debt };
        const args = [[payer, account], [action]] as const;
        const data = encodeFunctionData({ abi, functionName: 'operate', args });
        if ((await simulation.inOrder([{ to: margin, data }], block)).ok) return true;
      }
    return false;
  });
  return positions.map((position, index): Verdict[] => {
    const { balances, values, override } = stated.accounts[index]!;
    const [, tokens, pars, weis] = balances;
    const sumOf = (isSupply: boolean): bigint =>
      tokens.reduce(
        (sum, _, at) => (pars[at]!.sign === isSupply && pars[at]!.value > 0n ? sum + weis[at]!.value : sum),
        0n,
      );
    const [supply, borrow] = values;
    const own = (override.ok ? override.value : NO_OVERRIDE).value;
    const ratio = own === 0n ? stated.ratio.value : own;
    const required = borrow.value + (borrow.value * ratio) / WAD;
    const succeeds = liquidations[index]!;
    return [
      {
        of: 'getAccountBalances, supplies',
        computed: amountOf(position, 'collateral'),
        contract: sumOf(true),
      },
      { of: 'getAccountBalances, debts', computed: amountOf(position, 'debt'), contract: sumOf(false) },
      {
        of: 'getAdjustedAccountValues',
        computed: position.healthFactorRaw,
        contract: borrow.value === 0n ? null : (supply.value * WAD) / required,
      },
      ...liquidationVerdict('operate', position, succeeds),
    ];
  });
};

function amountOf({ legs }: RawPosition, side: RawLeg['side']): bigint {
  return legs.reduce((sum, leg) => (leg.side === side ? sum + leg.amountRaw : sum), 0n);
}

function accountOf({ wallet, subId }: RawPosition): { owner: Address; number: bigint } {
  const [owner, number] = subId.includes(':') ? (subId.split(':') as [Address, string]) : [wallet, subId];
  return { owner, number: BigInt(number) };
}
