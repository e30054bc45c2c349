import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ChainRecording } from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import {
  decodeFunctionResult,
  encodeFunctionResult,
  parseAbi,
  toFunctionSelector,
  type Abi,
  type Hex,
} from 'viem';
import { checkReading } from '../check-reading';
import { parseReading } from './recorded-reading';

const FOLDER = path.join(__dirname, '../../../../test/recordings');
const SEQUENCE = toFunctionSelector('tryAggregate(bool,(address,bytes)[])');
/** A selector with one argument, filled up to whole words. */
const LAST_CALL_DIGITS = 128;
const sequenceAbi = parseAbi([
  'struct Result { bool success; bytes returnData; }',
  'function tryAggregate() returns (Result[] returnData)',
]);

/** A function of a contract that states a figure, and a result that states another one. */
interface Stated {
  name: string;
  signature: string;
  /** Set if it is the last of several calls that see the effects of each other. */
  isLast?: true;
  /** Null: this result cannot become one that states another figure. */
  alter: (result: unknown) => unknown;
}

const LIQUIDITY = 'function f(address) view returns (uint256, uint256, uint256)';
const FLAG = 'function f(address) view returns (bool)';
const VALUES = 'function f((address,uint256)) view returns ((uint256 value) supply, (uint256 value) borrow)';

const STATED: [recording: string, figure: string, stated: Stated][] = [
  [
    'comet/comet-400-days',
    'healthFactor',
    {
      name: 'isLiquidatable(address)',
      signature: FLAG,
      isLast: true,
      alter: (flag) => (flag ? false : null),
    },
  ],
  [
    'comet/comet-400-days',
    'totalDebt',
    {
      name: 'borrowBalanceOf(address)',
      signature: 'function f(address) view returns (uint256)',
      alter: (debt) => (debt === 0n ? null : (debt as bigint) * 2n),
    },
  ],
  ...(['compound-v2', 'moonwell', 'benqi'] as const).map((name): (typeof STATED)[number] => [
    `compound-v2/${name}-400-days`,
    'healthFactor',
    {
      name: 'getAccountLiquidity(address)',
      signature: LIQUIDITY,
      isLast: true,
      alter: (result) => {
        const [error, , shortfall] = result as bigint[];
        return shortfall === 0n ? null : [error, shortfall, 0n];
      },
    },
  ]),
  [
    'silo-v2/silo-v2-400-days',
    'healthFactor',
    { name: 'isSolvent(address)', signature: FLAG, alter: (flag) => (flag ? null : true) },
  ],
  [
    'fraxlend/fraxlend-400-days',
    'totalDebt',
    {
      name: 'toBorrowAmount(uint256,bool,bool)',
      signature: 'function f(uint256, bool, bool) view returns (uint256)',
      alter: (debt) => (debt === 0n ? null : (debt as bigint) * 2n),
    },
  ],
  [
    'dolomite/dolomite-400-days',
    'healthFactor',
    {
      name: 'getAdjustedAccountValues((address,uint256))',
      signature: VALUES,
      alter: (result) => {
        const [supply, borrow] = result as [{ value: bigint }, { value: bigint }];
        return borrow.value === 0n ? null : [{ value: supply.value / 2n }, borrow];
      },
    },
  ],
  [
    'euler-v2/euler-v2-400-days',
    'healthFactor',
    {
      name: 'accountLiquidityFull(address,bool)',
      signature: 'function f(address, bool) view returns (address[], uint256[], uint256)',
      alter: (result) => {
        const [collaterals, values, liability] = result as [Hex[], bigint[], bigint];
        const isSecured = liability > 0n && values.some((value) => value > 0n);
        return isSecured ? [collaterals, values.map((value) => value / 2n), liability] : null;
      },
    },
  ],
];

/** The reading of a recording in which one call that states a figure has another result. */
async function readAltered(recording: string, stated: Stated) {
  const reading = parseReading(readFileSync(path.join(FOLDER, `${recording}.json.gz`)));
  const json = reading.chain.toJson();
  alterOne(json.calls, stated);
  const chain = ChainRecording.fromJson(json);
  return checkReading({ ...reading, chain }, replayClient(chain, recording));
}

function alterOne(calls: Record<string, Record<Hex, string>>, stated: Stated): void {
  const selector = toFunctionSelector(stated.name);
  for (const results of Object.values(calls))
    for (const [data, text] of Object.entries(results)) {
      if (text.startsWith('!')) continue;
      const isAsked = stated.isLast
        ? data.startsWith(SEQUENCE) && data.slice(-LAST_CALL_DIGITS).startsWith(selector.slice(2))
        : data.startsWith(selector);
      const altered = isAsked ? alteredResult(text as Hex, stated) : null;
      if (altered === null) continue;
      results[data as Hex] = altered;
      return;
    }
  throw new Error(`no result of ${stated.name} can be altered`);
}

function alteredResult(text: Hex, { signature, isLast, alter }: Stated): Hex | null {
  const abi = parseAbi([signature]) as Abi;
  const parts = isLast
    ? [...decodeFunctionResult({ abi: sequenceAbi, functionName: 'tryAggregate', data: text })]
    : [{ success: true, returnData: text }];
  const last = parts.pop()!;
  if (!last.success) return null;
  const altered = alter(decodeFunctionResult({ abi, functionName: 'f', data: last.returnData }));
  if (altered === null) return null;
  const returnData = encodeFunctionResult({ abi, functionName: 'f', result: altered });
  if (!isLast) return returnData;
  const result = [...parts, { success: true, returnData }];
  return encodeFunctionResult({ abi: sequenceAbi, functionName: 'tryAggregate', result });
}

describe.each(STATED)(
  '%s, in which one %s of the contract differs from ours',
  (recording, figure, stated) => {
    it('is one mismatch, and the position has the figure of the contract', async () => {
      const checks = await readAltered(recording, stated);
      const found = checks.flatMap((check) => check.mismatches.map((mismatch) => ({ check, mismatch })));
      expect(found.map(({ mismatch }) => mismatch.figure)).toEqual([figure]);
      const [{ check, mismatch }] = found as [(typeof found)[number]];
      const own = check.positions
        .map(({ position }) => position)
        .filter(({ wallet }) => wallet === mismatch.wallet);
      const field = figure === 'totalDebt' ? 'totalDebtRaw' : 'healthFactorRaw';
      expect(own.map((position) => position[field])).toContain(mismatch.contract);
      expect(own.map((position) => position[field])).not.toContain(mismatch.computed);
    });
  },
);
