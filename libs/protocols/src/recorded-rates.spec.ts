import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ChainClient, type MarketRow, Multicall, parseHead } from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import { type Hex, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { v2PoolAbi } from './aave-v2/layout';
import { poolAbi, providerAbi } from './aave-v3/abi';
import { familyOf } from './families';
import type { AssetRates } from './reader/asset-rates';
import { logIndex } from './reader/log-index';
import { parseReading } from './verdicts/recorded-reading';

const FOLDER = path.join(__dirname, '../../../test/recordings');
const cometAbi = parseAbi([
  'function getUtilization() view returns (uint256)',
  'function getSupplyRate(uint256 utilization) view returns (uint64)',
  'function getBorrowRate(uint256 utilization) view returns (uint64)',
]);
const lendingPoolAbi = parseAbi(['function getLendingPool() view returns (address)']);

type Ask = (
  to: Hex,
  abi: typeof cometAbi | typeof poolAbi,
  functionName: string,
  args?: unknown[],
) => Promise<never>;

/** Reads what the recorded contract itself returned. */
const askOf =
  (client: ChainClient, block: Hex): Ask =>
  async (to, abi, functionName, args = []) => {
    const call = { abi, functionName, args } as never;
    const data = await client.request<Hex>('eth_call', [{ to, data: encodeFunctionData(call) }, block]);
    return decodeFunctionResult({ abi, functionName, data } as never) as never;
  };

const READERS: Record<string, (ask: Ask, row: MarketRow, rates: AssetRates) => Promise<[bigint, bigint]>> = {
  comet: async (ask, { contracts }) => {
    const comet = contracts['comet'] as Hex;
    const utilization = await ask(comet, cometAbi, 'getUtilization');
    return [
      await ask(comet, cometAbi, 'getSupplyRate', [utilization]),
      await ask(comet, cometAbi, 'getBorrowRate', [utilization]),
    ];
  },
  'aave-v2': async (ask, { contracts }, { token }) => {
    const provider = contracts['addressesProvider'] as Hex;
    const pool = await ask(provider, lendingPoolAbi as never, 'getLendingPool');
    return ratesIn(await ask(pool, v2PoolAbi as never, 'getReserveData', [token]));
  },
  'aave-v3': async (ask, { contracts }, { token }) => {
    const provider = contracts['addressesProvider'] as Hex;
    const pool = await ask(provider, providerAbi as never, 'getPool');
    return ratesIn(await ask(pool, poolAbi, 'getReserveData', [token]));
  },
};

const ratesIn = (reserve: {
  currentLiquidityRate: bigint;
  currentVariableBorrowRate: bigint;
}): [bigint, bigint] => [reserve.currentLiquidityRate, reserve.currentVariableBorrowRate];

describe('rates in recordings of genuine contracts', () => {
  it.each([
    'comet/comet-0-seconds',
    'comet/comet-400-days',
    'aave-v2/aave-v2-400-days',
    'aave-v2/aave-v2-bad-debt',
    'aave-v3/aave-v3-400-days',
    'aave-v3/aave-v3-at-one',
  ])('%s: each is the whole number that the contract returned', async (name) => {
    const { rows, usdOracles, nativeCurrency, firstBlock, chain } = parseReading(
      readFileSync(path.join(FOLDER, `${name}.json.gz`)),
    );
    const client = replayClient(chain, name);
    const multicall = new Multicall(client, chain.multicall3);
    const block = parseHead(chain.block);
    const ask = askOf(client, chain.block.number);
    let found = 0;
    for (const row of rows) {
      const index = logIndex(client, BigInt(firstBlock));
      const reader = familyOf(row)!.makeReader(row, { client, multicall, index, usdOracles, nativeCurrency });
      for (const rates of (await reader.readRates(block)) ?? []) {
        const [supply, borrow] = await READERS[path.dirname(name)]!(ask, row, rates);
        expect([rates.supply?.raw, rates.borrow?.raw]).toEqual([supply, borrow]);
        if (borrow > 0n) found += 1;
      }
    }
    expect(found).toBeGreaterThan(0);
  });
});
