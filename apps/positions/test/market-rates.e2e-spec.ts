import type { MarketRate, MarketRateHistory, MarketRateList, ProblemBody } from '@plimsoll/contracts';
import { newId } from '@plimsoll/contracts';
import { type QueryPlan, planNodes, waitFor } from '@plimsoll/testing';
import {
  type Address,
  type Hex,
  decodeFunctionResult,
  encodeFunctionData,
  numberToHex,
  parseAbi,
} from 'viem';
import { HISTORY } from '../src/market-rates/market-rates.repository';
import { RatePartitions } from '../src/market-rates/rate-partitions';
import { type ChainFixture, startChain } from './chain-fixture';
import { type MorphoFixture, addMorpho, decimalsOf } from './morpho-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

const HOUR_MS = 3_600_000;
const poolAbi = parseAbi([
  'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 currentLiquidityRate; uint128 variableBorrowIndex; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; uint16 id; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; address interestRateStrategyAddress; uint128 accruedToTreasury; uint128 unbacked; uint128 isolationModeTotalDebt; }',
  'function getReserveData(address asset) view returns (ReserveData)',
]);
const me = identityOf('pro');

jest.setTimeout(60_000);

describe('rates of markets', () => {
  let chain: ChainFixture;
  let morpho: MorphoFixture;
  let service: ServiceFixture;

  const list = (query = '') =>
    service.call<MarketRateList & ProblemBody>('GET', `/v1/markets/rates${query}`, me);
  const history = (id: string, query = '') =>
    service.call<MarketRateHistory & ProblemBody>('GET', `/v1/markets/rates/${id}/history${query}`, me);
  const rates = async (query = ''): Promise<MarketRate[]> => (await list(query)).body.rates;

  beforeAll(async () => {
    chain = await startChain();
    morpho = await addMorpho(chain);
    const [wallet, [market]] = [chain.wallets[0]!.address as Address, morpho.markets];
    await morpho.supplyCollateral(wallet, market!, 10n * decimalsOf(chain, 'WETH'));
    await morpho.borrow(wallet, market!, 5_000n * decimalsOf(chain, 'USDC'));
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    service.config.RATES_INTERVAL_MS = 1_000;
    await service.start();
    await waitFor(
      async () => {
        const protocols = new Set((await rates('?limit=200')).map(({ protocol }) => protocol));
        return protocols.has('aave-v3') && protocols.has('morpho-blue');
      },
      { message: 'the rates of both protocols are read' },
    );
  }, 180_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 30_000);

  describe('GET /v1/markets/rates', () => {
    it('200: those of the pool at the block, with the whole number of the contract', async () => {
      const found = await rates('?protocol=aave-v3');
      expect(found.map(({ asset }) => asset).toSorted()).toEqual(
        Object.keys(chain.addresses.assets).toSorted(),
      );
      for (const { address, block, supply, borrow, ...rest } of found) {
        const data = encodeFunctionData({
          abi: poolAbi,
          functionName: 'getReserveData',
          args: [address as Hex],
        });
        const answer = await chain.rpc<Hex>('eth_call', [
          { to: chain.addresses.pool, data },
          numberToHex(block),
        ]);
        const reserve = decodeFunctionResult({ abi: poolAbi, functionName: 'getReserveData', data: answer });
        expect(supply?.raw).toBe(String(reserve.currentLiquidityRate));
        expect(borrow?.raw).toBe(String(reserve.currentVariableBorrowRate));
        expect(supply?.aprPercent).toBeCloseTo(Number(reserve.currentLiquidityRate) / 1e25, 9);
        expect(supply!.apyPercent!).toBeGreaterThanOrEqual(supply!.aprPercent!);
        expect(rest).toMatchObject({ chainId: 1, marketId: null, rawDecimals: 27, rawPeriod: 'year' });
      }
      expect(found.some(({ borrow }) => borrow!.aprPercent! > 0)).toBe(true);
    });

    it('200: every Morpho market, with its collateral, and with what suppliers receive computed', async () => {
      const found = await rates('?protocol=morpho-blue');
      expect(found.map(({ marketId }) => marketId).toSorted()).toEqual(
        morpho.markets.map(({ id }) => id.toLowerCase()).toSorted(),
      );
      const borrowed = found.find(({ collateral }) => collateral === 'WETH')!;
      expect(borrowed).toMatchObject({ asset: 'USDC', rawPeriod: 'second', rawDecimals: 18 });
      expect(borrowed.borrow).toMatchObject({ statedBy: 'borrowRateView' });
      expect(borrowed.supply).toMatchObject({ statedBy: null });
      expect(borrowed.borrow!.aprPercent!).toBeGreaterThan(borrowed.supply!.aprPercent!);
    });

    it('200: filters, and pages in one order without a repetition', async () => {
      const all = await rates('?limit=200');
      expect((await rates('?asset=usdc')).map(({ id }) => id)).toEqual(
        all.filter(({ asset }) => asset === 'USDC').map(({ id }) => id),
      );
      expect(await rates('?chainId=10')).toEqual([]);
      expect((await list('?protocol=aave-v3')).body.unknown).toEqual([]);
      const paged: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await list(`?limit=3&cursor=${cursor}`);
        paged.push(...body.rates.map(({ id }) => id));
        cursor = body.nextCursor;
      }
      expect(paged).toEqual(all.map(({ id }) => id));
    });

    it('200: a market that is followed and has no rates is unknown, with its reason', async () => {
      await service.pool.query(`UPDATE market_rates SET removed_at = now() WHERE protocol = 'aave-v3'`);
      const { body } = await list();
      const market = expect.any(String);
      expect(body.unknown).toEqual([{ protocol: 'aave-v3', chainId: 1, market, reason: 'not_read' }]);
      await waitFor(async () => (await list('?protocol=aave-v3')).body.rates.length > 0, {
        message: 'the rates are read again',
      });
    });

    it.each([
      ['?chainId=mainnet', 'chainId'],
      ['?chainId=9007199254740992', 'chainId'],
      ['?cursor=abc', 'cursor'],
      ['?asset=', 'asset'],
    ])('400: %s', async (query, field) => {
      const { status, body } = await list(query);
      expect([status, body.errors?.map((error) => error.field)]).toEqual([400, [field]]);
    });
  });

  describe('GET /v1/markets/rates/:id/history', () => {
    it('200: reads become samples of the hour, with the average and the last rate', async () => {
      const [{ id }] = (await rates('?protocol=morpho-blue&asset=USDC')) as [MarketRate];
      await chain.rpc('evm_mine', []);
      const bucket = await waitFor(
        async () => {
          const [newest] = (await history(id)).body.history;
          return newest && newest.samples > 1 ? newest : undefined;
        },
        { message: 'the rates are read twice' },
      );
      expect(Date.parse(bucket.at) % HOUR_MS).toBe(0);
      expect(bucket.lastBorrow?.raw).toMatch(/^[0-9]+$/);
      expect(bucket.borrowAprPercent).toBeCloseTo(bucket.lastBorrow!.aprPercent!, 0);
    });

    it('200: by hour and by day, newest first, in pages and in a range; a missing hour is absent', async () => {
      const id = await stored([
        ['2026-01-02T03:00:00Z', 2, 0.04, 100n],
        ['2026-01-02T05:00:00Z', 1, 0.07, 200n],
        ['2026-01-03T00:00:00Z', 1, 0.01, 300n],
      ]);
      const points = async (query: string) =>
        (await history(id, query)).body.history.map(({ at, samples, supplyAprPercent, lastSupply }) => [
          at,
          samples,
          supplyAprPercent,
          lastSupply?.raw,
        ]);
      const close = (value: number): unknown => expect.closeTo(value, 9);
      const hours = [
        ['2026-01-03T00:00:00.000Z', 1, close(1), '300'],
        ['2026-01-02T05:00:00.000Z', 1, close(7), '200'],
        ['2026-01-02T03:00:00.000Z', 2, close(4), '100'],
      ];
      expect(await points('')).toEqual(hours);
      expect(await points('?bucket=day')).toEqual([
        hours[0],
        ['2026-01-02T00:00:00.000Z', 3, close(5), '200'],
      ]);
      expect(await points('?since=2026-01-02T05:30:00Z')).toEqual(hours.slice(0, 2));
      expect(await points('?until=2026-01-03T00:00:00Z')).toEqual(hours.slice(1));
      const first = await history(id, '?limit=2');
      expect(first.body.history).toHaveLength(2);
      const second = await history(id, `?limit=2&cursor=${first.body.nextCursor}`);
      expect(second.body.history.map(({ at }) => at)).toEqual([hours[2]![0]]);
      expect(second.body.nextCursor).toBeNull();
    });

    it('200: an hour keeps its own number of periods in a year', async () => {
      const id = await stored([['2026-01-02T03:00:00Z', 1, 0.04, 10n ** 10n]]);
      await service.pool.query('UPDATE market_rates SET periods_per_year = 1000 WHERE id = $1', [id]);
      const [hour] = (await history(id)).body.history;
      expect(hour?.lastSupply?.aprPercent).toBeCloseTo(31.536, 9);
    });

    it('200: an asset that the market no longer lends is not in the list, and has its history', async () => {
      const id = await stored([['2026-01-02T03:00:00Z', 1, 0.04, 100n]]);
      await service.pool.query('UPDATE market_rates SET removed_at = now() WHERE id = $1', [id]);
      expect((await rates('?protocol=stored')).map((rate) => rate.id)).not.toContain(id);
      expect((await history(id)).body.count).toBe(1);
    });

    it('reads only the hours of the asset', async () => {
      const [plan] = await service.query<{ 'QUERY PLAN': [{ Plan: QueryPlan }] }>(
        `EXPLAIN (FORMAT JSON) ${HISTORY}`,
        [newId('mkt'), 'hour', null, null, null, 50],
      );
      const scans = planNodes(plan!['QUERY PLAN'][0].Plan).map((node) => node['Node Type']);
      expect(scans).not.toContain('Seq Scan');
    });

    it('400: an empty range, and 404: an unknown id', async () => {
      const id = newId('mkt');
      const { status, body } = await history(id, '?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z');
      expect([status, body.errors?.map(({ field }) => field)]).toEqual([400, ['until']]);
      expect((await history(id)).status).toBe(404);
      expect((await history('mkt_short')).status).toBe(404);
    });
  });

  /** An asset with rates in these hours: start, reads, yearly share, whole number. */
  async function stored(hours: readonly [string, number, number, bigint][]): Promise<string> {
    const id = newId('mkt');
    await service.part(RatePartitions).make(new Date('2026-01-15T00:00:00Z'));
    await service.pool.query(
      `INSERT INTO market_rates (id, chain_id, protocol, market, sub_id, token, symbol, decimals, period, periods_per_year,
         compounds_per_year, supply_raw, supply_function, block, block_hash, block_time, read_at)
       VALUES ($1, 1, 'stored', 'stored', '', $2, 'OLD', 18, 'second', 31536000, 31536000, 1, 'getSupplyRate', 1, $3, now(),
         now())`,
      [id, `0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(32)}`],
    );
    for (const [hour, samples, apr, raw] of hours)
      await service.pool.query(
        `INSERT INTO market_rate_hours (id, hour, samples, supply_raw, periods_per_year, compounds_per_year, supply_sum,
           supply_samples, borrow_sum, borrow_samples, block, block_time)
         VALUES ($1, $2, $3, $4, 31536000, 31536000, $5, $3, 0, 0, 1, $2)`,
        [id, hour, samples, String(raw), apr * samples],
      );
    return id;
  }
});
