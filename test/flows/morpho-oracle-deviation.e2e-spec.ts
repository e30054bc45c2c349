import type { OraclePriceV1 } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { type EventCollector, sampleWallet, waitFor } from '@plimsoll/testing';
import { type Address, type Hex, encodeFunctionData, numberToHex, parseAbi } from 'viem';
import { AlertsHarness } from '../../apps/alerts/test/alerts-harness';
import { samplePrice } from '../../apps/alerts/test/samples';
import { OraclePricesPublisher } from '../../apps/positions/src/oracle-prices/oracle-prices-publisher';
import { type ChainFixture, startChain } from '../../apps/positions/test/chain-fixture';
import { type MorphoFixture, addMorpho, decimalsOf } from '../../apps/positions/test/morpho-fixture';
import { ServiceFixture, identityOf } from '../../apps/positions/test/service-fixture';

const MINUTE_MS = 60_000;
const ETH_USD = 2_500;
/** Loan units for one collateral unit, times 1e36: USDC has 6 decimals, and WETH 18. */
const priceRaw = (usd: number): bigint => BigInt(usd) * 10n ** 24n;
const oracleAbi = parseAbi([
  'function price() view returns (uint256)',
  'function setPrice(uint256 newPrice)',
]);

/** Two markets of the genuine Morpho Blue for the same pair. Each has an oracle of its own. */
describe('an oracle of one Morpho market that leaves the market price: chain → positions → Kafka → alerts', () => {
  let chain: ChainFixture;
  let morpho: MorphoFixture;
  let positions: ServiceFixture;
  let alerts: AlertsHarness;
  let oraclePrices: EventCollector<'oracle-price.v1'>;
  let nowMs = Date.now();
  const me = identityOf('enterprise');
  const [borrower, elsewhere, supplier] = [1, 2, 3].map(
    (index) => sampleWallet(0xabc_000 + index) as Address,
  ) as [Address, Address, Address];

  beforeAll(async () => {
    chain = await startChain(1, []);
    const listing = { loan: 'USDC', collateral: 'WETH', price: priceRaw(ETH_USD) };
    morpho = await addMorpho(chain, [
      { ...listing, lltv: 860_000_000_000_000_000n },
      { ...listing, lltv: 770_000_000_000_000_000n },
    ]);
    const [first, second] = morpho.markets as [MorphoFixture['markets'][0], MorphoFixture['markets'][0]];
    for (const [wallet, market] of [
      [borrower, first],
      [elsewhere, second],
    ] as const) {
      await morpho.supplyCollateral(wallet, market, 10n * decimalsOf(chain, 'WETH'));
      await morpho.borrow(wallet, market, 10_000n * decimalsOf(chain, 'USDC'));
    }
    await morpho.supplyCollateral(supplier, first, 10n * decimalsOf(chain, 'WETH'));
    positions = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    oraclePrices = await positions.collect('oracle-price.v1');
    alerts = await AlertsHarness.start(positions.kafka);
    await positions.start();
    for (const service of [positions, alerts]) service.part(Clock).now = () => nowMs;
    for (const address of [borrower, elsewhere, supplier])
      expect((await positions.call('POST', '/v1/wallets', me, { address })).status).toBe(201);
    await waitFor(async () => (await alerts.query('SELECT 1 FROM positions')).length === 3, {
      timeoutMs: 30_000,
      message: 'alerts has every position',
    });
    for (const [asset, usd] of [
      ['ETH', ETH_USD],
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

  const oracleOf = (market: number): Address => morpho.markets[market]!.params.oracle;
  /** A minute passes, and positions publishes what the oracles state. */
  const minute = async (): Promise<OraclePriceV1> => {
    nowMs += MINUTE_MS;
    const from = oraclePrices.events.length;
    await (positions.part(OraclePricesPublisher) as unknown as { round(): Promise<void> }).round();
    const event = await waitFor(
      () =>
        oraclePrices.events.slice(from).find(({ value }) => value?.protocol === 'morpho-blue')?.value ??
        undefined,
      { message: 'oracle-price.v1 of Morpho' },
    );
    const stored = 'SELECT 1 FROM oracle_prices WHERE published_at >= $1';
    await waitFor(
      async () => (await alerts.query(stored, [event.publishedAt])).length >= event.prices.length,
      {
        message: 'alerts has the prices',
      },
    );
    return event;
  };
  const minutes = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) await minute();
  };
  /** The oracle of the first market states a price in a block that positions handled. */
  const firstOracleStates = async (usd: number): Promise<void> => {
    const data = encodeFunctionData({ abi: oracleAbi, functionName: 'setPrice', args: [priceRaw(usd)] });
    const { operator } = chain.addresses;
    await chain.rpc('anvil_impersonateAccount', [operator]);
    const call = { from: operator, to: oracleOf(0), data };
    const { blockNumber } = await chain.rpc<{ blockNumber: Hex }>('eth_sendTransactionSync', [call]);
    await waitFor(async () => (await minute()).block >= Number(blockNumber), {
      timeoutMs: 20_000,
      message: 'positions handled the block of the price',
    });
  };
  const published = (): string[] =>
    alerts.published(me.accountId).filter((change) => change.endsWith('oracle_deviation'));

  it('publishes the price that the oracle of each market states at the block, in USD', async () => {
    const event = await minute();
    const weth = morpho.markets[0]!.params.collateralToken.toLowerCase();
    const own = event.prices.filter(({ token }) => token === weth);
    expect(own.map(({ oracle }) => oracle).toSorted()).toEqual(
      [0, 1].map((market) => oracleOf(market).toLowerCase()).toSorted(),
    );
    for (const { oracle, priceUsd } of own) {
      const data = encodeFunctionData({ abi: oracleAbi, functionName: 'price' });
      const raw = await chain.rpc<Hex>('eth_call', [{ to: oracle, data }, numberToHex(event.block)]);
      // The loan token is worth a dollar by the dollar oracle of the chain.
      expect(priceUsd).toBeCloseTo(Number(BigInt(raw)) / 1e24, 6);
    }
  });

  it('opens one alert for the borrower of that market alone, and resolves when the price returns', async () => {
    await firstOracleStates(ETH_USD * 1.04);
    await minutes(6);
    await waitFor(() => published().length > 0, { message: 'the alert is published' });
    const [event] = alerts.alerts.events.flatMap(({ value }) =>
      value?.accountId === me.accountId && value.type === 'oracle_deviation' ? [value] : [],
    );
    expect(event).toMatchObject({ asset: 'ETH', severity: 'medium' });
    expect(event!.title).toContain('oracle price of Morpho Blue on Ethereum');
    expect(event!.position?.wallet?.toLowerCase()).toBe(borrower.toLowerCase());
    const { healthFactor } = event!.content!.affectedPositions[0]!;
    expect(healthFactor.now! / healthFactor.before!).toBeCloseTo(1 / 1.04, 6);
    await firstOracleStates(ETH_USD);
    await waitFor(() => published().length > 1, { message: 'the alert is resolved' });
    expect(published()).toEqual(['active oracle_deviation', 'resolved oracle_deviation']);
  }, 90_000);
});
