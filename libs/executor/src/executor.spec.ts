import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  getAddress,
  type Address,
  type Log,
} from 'viem';
import { encodeExecute, type Run } from './calls';
import { encodeDeployExecutor, type ExecutorName } from './deployment';
import { executorAbi } from './generated/executor';
import { refusalOf, revertDataOf, runOutcomes } from './outcome';
import { policyIdOf, strategiesOf, strategyIndex, strategyMask } from './policy';

const addressOf = (digit: string): Address => getAddress(`0x${digit.repeat(40)}`);
const wordOf = (digit: string) => `0x${digit.repeat(64)}` as const;

describe('strategies', () => {
  it('have the index that the contract gives them', () => {
    expect(['repay_debt', 'sell_collateral', 'flash_loan_unwind'].map((_, index) => index)).toEqual([
      strategyIndex('repay_debt'),
      strategyIndex('sell_collateral'),
      strategyIndex('flash_loan_unwind'),
    ]);
  });

  it('a mask contains its strategies', () => {
    expect(strategyMask(['repay_debt', 'flash_loan_unwind'])).toBe(5);
    expect(strategiesOf(5)).toEqual(['repay_debt', 'flash_loan_unwind']);
    expect(strategiesOf(strategyMask([]))).toEqual([]);
  });
});

describe('policyIdOf', () => {
  const subject = {
    market: addressOf('1'),
    marketId: wordOf('0'),
    collateral: addressOf('2'),
    debt: addressOf('3'),
  };

  it('differs for another owner, market, collateral or debt', () => {
    const ids = [
      policyIdOf(addressOf('a'), subject),
      policyIdOf(addressOf('b'), subject),
      policyIdOf(addressOf('a'), { ...subject, market: addressOf('4') }),
      policyIdOf(addressOf('a'), { ...subject, marketId: wordOf('1') }),
      policyIdOf(addressOf('a'), { ...subject, collateral: addressOf('4') }),
      policyIdOf(addressOf('a'), { ...subject, debt: addressOf('4') }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('encodeDeployExecutor', () => {
  const setup = { owner: addressOf('a'), markets: [addressOf('b')] };

  it('stays within the largest contract of a chain', () => {
    const names: ExecutorName[] = [
      'AaveV3Executor',
      'MorphoBlueExecutor',
      'CometExecutor',
      'CompoundV2Executor',
    ];
    for (const name of names) expect(encodeDeployExecutor(name, setup).length).toBeLessThan(2 * 49_152);
  });

  it('accepts a flash lender only if one is used', () => {
    const flashLender = addressOf('c');
    expect(encodeDeployExecutor('CometExecutor', { ...setup, flashLender })).toContain('c'.repeat(40));
    expect(() => encodeDeployExecutor('AaveV3Executor', { ...setup, flashLender })).toThrow('flashLender');
  });
});

describe('runOutcomes', () => {
  const executor = addressOf('e');
  const outcome = {
    repaid: 1n,
    sold: 2n,
    flashFee: 3n,
    returnedDebt: 4n,
    returnedCollateral: 5n,
    healthFactorBefore: 6n,
    healthFactorAfter: 7n,
  };
  const log = (address: Address): Log => {
    const event = executorAbi.find((each) => each.type === 'event' && each.name === 'Executed');
    if (event?.type !== 'event') throw new Error('the ABI has no event Executed');
    return {
      address,
      topics: encodeEventTopics({
        abi: executorAbi,
        eventName: 'Executed',
        args: { id: wordOf('1'), owner: addressOf('a'), keeper: addressOf('b') },
      }) as Log['topics'],
      data: encodeAbiParameters(
        event.inputs.filter(({ indexed }) => !indexed),
        [wordOf('2'), 9n, 2, outcome] as never,
      ),
      blockHash: wordOf('3'),
      blockNumber: 1n,
      blockTimestamp: 1n,
      logIndex: 0,
      transactionHash: wordOf('4'),
      transactionIndex: 0,
      removed: false,
    } as Log;
  };

  it('decodes the outcome of a run', () => {
    expect(runOutcomes(executor, [log(executor)])).toEqual([
      {
        policyId: wordOf('1'),
        policyHash: wordOf('2'),
        nonce: 9n,
        owner: addressOf('a'),
        keeper: addressOf('b'),
        strategy: 'flash_loan_unwind',
        ...outcome,
      },
    ]);
  });

  it('ignores events of another contract', () => {
    expect(runOutcomes(executor, [log(addressOf('f'))])).toEqual([]);
  });
});

describe('refusalOf', () => {
  const data = encodeErrorResult({ abi: executorAbi, errorName: 'WrongNonce', args: [2n, 1n] });

  it('names the error and its arguments', () => {
    expect(refusalOf(data)).toEqual({ name: 'WrongNonce', args: [2n, 1n] });
    expect(refusalOf('0x12345678')).toBeUndefined();
    expect(refusalOf('0x')).toBeUndefined();
  });

  it('finds the data inside an RPC error', () => {
    expect(revertDataOf(new Error('outer', { cause: Object.assign(new Error('inner'), { data }) }))).toBe(
      data,
    );
    expect(revertDataOf({ data: { data } })).toBe(data);
    expect(revertDataOf(new Error('connection reset'))).toBeUndefined();
  });
});

describe('encodeExecute', () => {
  it('writes the strategy as its number', () => {
    const run: Run = {
      policyId: wordOf('1'),
      policyHash: wordOf('2'),
      nonce: 3n,
      strategy: 'sell_collateral',
      repayAmount: 4n,
      sellAmount: 5n,
      deadline: 6n,
      route: '0x',
    };
    const other = encodeExecute({ ...run, strategy: 'repay_debt' });
    expect(encodeExecute(run)).not.toBe(other);
    expect(encodeExecute(run)).toHaveLength(other.length);
  });
});
