import type { OraclePriceV1 } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { type SeedPlan, assetListing, devnetAsset, setPrice } from '@plimsoll/devnet';
import { Clock } from '@plimsoll/service-kit';
import { type EventCollector, waitFor } from '@plimsoll/testing';
import {
  type Address,
  type Hex,
  decodeFunctionResult,
  encodeFunctionData,
  numberToHex,
  parseAbi,
} from 'viem';
import { AlertsHarness } from '../../apps/alerts/test/alerts-harness';
import { samplePrice } from '../../apps/alerts/test/samples';
import { OraclePricesPublisher } from '../../apps/positions/src/oracle-prices/oracle-prices-publisher';
import { type ChainFixture, startChain } from '../../apps/positions/test/chain-fixture';
import { ServiceFixture, identityOf } from '../../apps/positions/test/service-fixture';

const MINUTE_MS = 60_000;
const ETH_USD = Number(assetListing('WETH').priceUsd) / 1e8;
const oracleAbi = parseAbi(['function getAssetPrice(address asset) view returns (uint256)']);

const plan = (label: string, supplied: 'WETH' | 'WBTC', healthFactor: number | null): SeedPlan => ({
  label,
  suppliedUsd: 20_000,
  supplies: [{ symbol: supplied, share: 1, asCollateral: true }],
  borrows: healthFactor === null ? [] : [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor,
  eMode: false,
});
const PLANS = [
  plan('one', 'WETH', 3),
  plan('two', 'WETH', 4),
  plan('other asset', 'WBTC', 3),
  plan('no debt', 'WETH', null),
];

describe('an oracle that leaves the market: chain → positions → Kafka → alerts', () => {
  let chain: ChainFixture;
  let positions: ServiceFixture;
  let alerts: AlertsHarness;
  let oraclePrices: EventCollector<'oracle-price.v1'>;
  let nowMs = Date.now();
  const me = identityOf('enterprise');

  beforeAll(async () => {
    chain = await startChain(1, PLANS);
    positions = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    oraclePrices = await positions.collect('oracle-price.v1');
    alerts = await AlertsHarness.start(positions.kafka);
    await positions.start();
    for (const service of [positions, alerts]) service.part(Clock).now = () => nowMs;
    for (const { address } of chain.wallets)
      expect((await positions.call('POST', '/v1/wallets', me, { address })).status).toBe(201);
    await waitFor(async () => (await alerts.query('SELECT 1 FROM positions')).length === PLANS.length, {
      timeoutMs: 30_000,
      message: 'alerts has every position',
    });
    for (const [asset, usd] of [
      ['ETH', ETH_USD],
      ['BTC', Number(assetListing('WBTC').priceUsd) / 1e8],
      ['USDC', 1],
    ] as const) {
      const event = samplePrice(asset, usd, nowMs, { heartbeatMs: 24 * 60 * MINUTE_MS });
      await alerts.publisher.publish(outgoing('price.v1', event));
      await alerts.priced(event);
    }
  }, 180_000);
  afterAll(async () => {
    await alerts?.close();
    await positions?.close();
    await chain?.close();
  }, 60_000);

  /** A minute passes, and positions publishes what the oracle states. */
  const minute = async (): Promise<OraclePriceV1> => {
    nowMs += MINUTE_MS;
    const from = oraclePrices.events.length;
    await (positions.part(OraclePricesPublisher) as unknown as { round(): Promise<void> }).round();
    const event = await waitFor(
      () => oraclePrices.events.slice(from).find(({ value }) => value)?.value ?? undefined,
      {
        message: 'oracle-price.v1',
      },
    );
    const stored = 'SELECT 1 FROM oracle_prices WHERE published_at >= $1';
    await waitFor(async () => (await alerts.query(stored, [event.publishedAt])).length >= 3, {
      message: 'alerts has the prices',
    });
    return event;
  };
  const minutes = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) await minute();
  };
  /** The oracle states a price of ETH in the last block that positions handled. */
  const oracleStates = async (usd: number): Promise<void> => {
    const { blockNumber } = await setPrice(chain.node.url, chain.addresses, 'WETH', usd);
    await waitFor(async () => (await minute()).block >= Number(blockNumber), {
      timeoutMs: 20_000,
      message: 'positions handled the block of the price',
    });
  };
  const published = (): string[] =>
    alerts.published(me.accountId).filter((change) => change.endsWith('oracle_deviation'));
  const events = () =>
    alerts.alerts.events.flatMap(({ value }) =>
      value?.accountId === me.accountId && value.type === 'oracle_deviation' ? [value] : [],
    );

  it('publishes what the oracle contract states at the block', async () => {
    const event = await minute();
    expect(event.prices.map(({ asset }) => asset).toSorted()).toEqual(['USDC', 'WBTC', 'WETH']);
    for (const { token, priceUsd } of event.prices) {
      const data = encodeFunctionData({
        abi: oracleAbi,
        functionName: 'getAssetPrice',
        args: [token as Address],
      });
      const call = { to: chain.addresses.oracle, data };
      const answer = await chain.rpc<Hex>('eth_call', [call, numberToHex(event.block)]);
      const raw = decodeFunctionResult({ abi: oracleAbi, functionName: 'getAssetPrice', data: answer });
      expect(priceUsd).toBe(Number(raw) / 1e8);
    }
    expect(event.prices.map(({ token }) => token)).toContain(
      devnetAsset(chain.addresses, 'WETH').address.toLowerCase(),
    );
  });

  it('opens one alert for each affected wallet, resolves when the price returns, and none for a blip', async () => {
    await oracleStates(ETH_USD * 1.1);
    await minutes(2);
    await oracleStates(ETH_USD);
    expect(published()).toEqual([]);
    await oracleStates(ETH_USD * 1.04);
    await minutes(6);
    await waitFor(() => published().length >= 2, { message: 'both alerts are published' });
    expect(published()).toEqual(['active oracle_deviation', 'active oracle_deviation']);
    const affected = chain.wallets.filter(({ plan: { label } }) => ['one', 'two'].includes(label));
    expect(
      events()
        .map(({ position }) => position?.wallet?.toLowerCase())
        .toSorted(),
    ).toEqual(affected.map(({ address }) => address.toLowerCase()).toSorted());
    for (const { asset, severity, content } of events()) {
      expect({ asset, severity }).toEqual({ asset: 'ETH', severity: 'medium' });
      const [{ healthFactor } = { healthFactor: null }] = content?.affectedPositions ?? [];
      expect(healthFactor!.now! / healthFactor!.before!).toBeCloseTo(1 / 1.04, 6);
    }
    await oracleStates(ETH_USD);
    await waitFor(() => published().length >= 4, { message: 'both alerts are resolved' });
    expect(published().slice(2)).toEqual(['resolved oracle_deviation', 'resolved oracle_deviation']);
  }, 90_000);
});
