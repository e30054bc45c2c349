import {
  type QueuedChain,
  STABLE_E_MODE,
  type SeedPlan,
  assetListing,
  connectAnvil,
  devnetAsset,
  operatorOf,
  queuedChain,
} from '@plimsoll/devnet';
import { Clock } from '@plimsoll/service-kit';
import { type EventCollector, waitFor } from '@plimsoll/testing';
import { type Abi, type Address, createPublicClient, http, parseAbi } from 'viem';
import { AlertsHarness } from '../../apps/alerts/test/alerts-harness';
import { ParameterChangesPublisher } from '../../apps/positions/src/parameter-changes/parameter-changes-publisher';
import { type ChainFixture, startChain } from '../../apps/positions/test/chain-fixture';
import { ServiceFixture, identityOf } from '../../apps/positions/test/service-fixture';
import { standIns } from '../../libs/protocols/test/local-chain';

const DAY_SECONDS = 86_400;
const WETH = assetListing('WETH');
const NEW_THRESHOLD_BPS = 8_000n;

const providerAbi = parseAbi([
  'function getACLManager() view returns (address)',
  'function transferOwnership(address newOwner)',
]);
const aclAbi = parseAbi(['function addPoolAdmin(address admin)']);
const queueAbi = parseAbi(['function executor() view returns (address)']);

const plan = (label: string, supplied: 'WETH' | 'WBTC' | 'DAI', healthFactor: number | null): SeedPlan => ({
  label,
  suppliedUsd: 20_000,
  supplies: [{ symbol: supplied, share: 1, asCollateral: true }],
  borrows: healthFactor === null ? [] : [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor,
  eMode: false,
});
const PLANS = [
  plan('one', 'WETH', 1.5),
  plan('near', 'WETH', 1.02),
  plan('other asset', 'WBTC', 1.5),
  plan('no debt', 'WETH', null),
  { ...plan('e-mode', 'DAI', 1.5), eMode: true },
  plan('outside of the e-mode', 'DAI', 1.5),
];

/**
 * The genuine market of Aave v3, whose governance is a queue of payloads with the views of the payloads controller. The
 * payload is a contract, so only its execution shows what it changes.
 */
describe('a queued payload that lowers a threshold: chain → positions → Kafka → alerts', () => {
  let chain: ChainFixture;
  let positions: ServiceFixture;
  let alerts: AlertsHarness;
  let statements: EventCollector<'parameter-change.v1'>;
  let queued: QueuedChain;
  let payloads: Address;
  let nowMs = Date.now();
  const contracts = standIns();
  const me = identityOf('enterprise');

  beforeAll(async () => {
    chain = await startChain(1, PLANS);
    const rpc = connectAnvil(chain.node.url);
    queued = queuedChain(rpc, await operatorOf(rpc));
    payloads = await queued.deploy(contracts['PayloadQueue']!);
    const viem = createPublicClient({ transport: http(chain.node.url), cacheTime: 0 });
    const executor = await viem.readContract({ address: payloads, abi: queueAbi, functionName: 'executor' });
    const provider = chain.addresses.addressesProvider;
    const acl = await viem.readContract({
      address: provider,
      abi: providerAbi,
      functionName: 'getACLManager',
    });
    await queued.send([
      { to: acl, abi: aclAbi as Abi, name: 'addPoolAdmin', args: [executor] },
      { to: provider, abi: providerAbi as Abi, name: 'transferOwnership', args: [executor] },
    ]);
    positions = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    statements = await positions.collect('parameter-change.v1');
    alerts = await AlertsHarness.start(positions.kafka);
    await positions.start();
    for (const service of [positions, alerts]) service.part(Clock).now = () => nowMs;
    for (const { address } of chain.wallets)
      expect((await positions.call('POST', '/v1/wallets', me, { address })).status).toBe(201);
    await waitFor(async () => (await alerts.query('SELECT 1 FROM positions')).length === PLANS.length, {
      timeoutMs: 30_000,
      message: 'alerts has every position',
    });
  }, 180_000);
  afterAll(async () => {
    await alerts?.close();
    await positions?.close();
    await chain?.close();
  }, 60_000);

  /** positions states what governance announced as of a block at which `isReached`. */
  const statement = async (
    isReached: (event: (typeof statements.events)[number]['value'] & object) => boolean,
  ) => {
    const publisher = positions.part(ParameterChangesPublisher) as unknown as {
      round(signal: AbortSignal): Promise<void>;
    };
    return waitFor(
      async () => {
        nowMs += 60_000;
        const from = statements.events.length;
        await publisher.round(new AbortController().signal);
        const { value } = await waitFor(() => statements.events.slice(from).find((event) => event.value), {
          message: 'parameter-change.v1',
        });
        return value && isReached(value) ? value : undefined;
      },
      { timeoutMs: 30_000, message: 'positions states the announcement' },
    );
  };
  const published = (): string[] =>
    alerts.published(me.accountId).filter((change) => change.endsWith('parameter_change'));
  const contentOf = (label: string) => {
    const { address } = chain.wallets.find((wallet) => wallet.plan.label === label)!;
    return alerts.alerts.events.find(
      ({ value }) => value?.type === 'parameter_change' && value.position?.wallet === address.toLowerCase(),
    )?.value;
  };
  const healthFactorOf = async (label: string): Promise<number> => {
    const { address } = chain.wallets.find((wallet) => wallet.plan.label === label)!;
    const block = Number(await chain.rpc<string>('eth_blockNumber', []));
    return Number((await chain.accountData(address, block)).healthFactorRaw) / 1e18;
  };

  it('opens one alert for each affected wallet with the health factor after it, and resolves when it is made', async () => {
    const weth = devnetAsset(chain.addresses, 'WETH').address;
    const { ltvBps, liquidationThresholdBps, liquidationBonusBps } = WETH;
    const newLtvBps = NEW_THRESHOLD_BPS - 100n;
    const payload = await queued.deploy(contracts['CollateralPayload']!, [
      chain.addresses.poolConfigurator,
      weth,
      newLtvBps,
      NEW_THRESHOLD_BPS,
      liquidationBonusBps,
    ]);
    const queue = { to: payloads, abi: contracts['PayloadQueue']!.abi, gas: 3_000_000n };
    await queued.send([{ ...queue, name: 'queue', args: [payload] }]);
    const [change] = (await statement(({ changes }) => changes.length > 0)).changes;
    expect(change).toMatchObject({
      proposalId: 'payload 0',
      asset: 'WETH',
      token: weth.toLowerCase(),
      source: payloads,
      isGradual: false,
      values: expect.arrayContaining([
        {
          parameter: 'liquidation_threshold',
          from: String(Number(liquidationThresholdBps) / 1e4),
          to: String(Number(NEW_THRESHOLD_BPS) / 1e4),
        },
        { parameter: 'max_ltv', from: String(Number(ltvBps) / 1e4), to: String(Number(newLtvBps) / 1e4) },
      ]),
    });
    await waitFor(() => published().length >= 2, { message: 'both alerts are published' });
    expect(published()).toEqual(['active parameter_change', 'active parameter_change']);
    expect(contentOf('one')).toMatchObject({
      severity: 'medium',
      title: 'Aave V3 on Ethereum will change the liquidation threshold of ETH from 82.5 % to 80 %',
    });
    expect(contentOf('near')).toMatchObject({ severity: 'high' });

    await chain.rpc('evm_increaseTime', [DAY_SECONDS + 1]);
    await queued.send([{ ...queue, name: 'execute', args: [0] }]);
    for (const label of ['one', 'near']) {
      const { healthFactor } = contentOf(label)!.content!.affectedPositions[0]!;
      // One day of interest.
      expect(healthFactor.now! / (await healthFactorOf(label))).toBeCloseTo(1, 3);
      expect(healthFactor.now! / healthFactor.before!).toBeCloseTo(8_000 / 8_250, 3);
    }
    await statement(({ ended }) => ended.length > 0);
    await waitFor(() => published().length >= 4, { message: 'both alerts are resolved' });
    expect(published().slice(2)).toEqual(['resolved parameter_change', 'resolved parameter_change']);
  }, 120_000);

  it('opens an alert of the users of an e-mode that will no longer accept their collateral', async () => {
    const dai = devnetAsset(chain.addresses, 'DAI').address;
    const payload = await queued.deploy(contracts['EModePayload']!, [chain.addresses.poolConfigurator, dai]);
    const queue = { to: payloads, abi: contracts['PayloadQueue']!.abi, gas: 3_000_000n };
    await queued.send([{ ...queue, name: 'queue', args: [payload] }]);
    const before = published().length;
    const { changes, effects } = await statement(({ changes: all }) => all.length > 0);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ proposalId: 'payload 1', asset: 'DAI', token: dai.toLowerCase() });
    expect(changes[0]!.values).toContainEqual({
      parameter: 'liquidation_threshold',
      from: String(STABLE_E_MODE.liquidationThresholdBps / 1e4),
      to: String(Number(assetListing('DAI').liquidationThresholdBps) / 1e4),
    });
    expect(effects).toHaveLength(1);
    await waitFor(() => published().length > before, { message: 'the alert is published' });
    expect(published().slice(before)).toEqual(['active parameter_change']);

    await chain.rpc('evm_increaseTime', [DAY_SECONDS + 1]);
    await queued.send([{ ...queue, name: 'execute', args: [1] }]);
    const { healthFactor } = contentOf('e-mode')!.content!.affectedPositions[0]!;
    expect(healthFactor.now! / (await healthFactorOf('e-mode'))).toBeCloseTo(1, 3);
    expect(healthFactor.now! / healthFactor.before!).toBeCloseTo(7_700 / 9_750, 3);
  }, 120_000);

  it('opens an alert for each wallet that supplies or owes an asset whose cap will change', async () => {
    const [weth, usdc] = (['WETH', 'USDC'] as const).map(
      (symbol) => devnetAsset(chain.addresses, symbol).address,
    );
    const cap = 1_000_000n;
    const payload = await queued.deploy(contracts['CapPayload']!, [
      chain.addresses.poolConfigurator,
      weth,
      usdc,
      cap,
    ]);
    const queue = { to: payloads, abi: contracts['PayloadQueue']!.abi, gas: 3_000_000n };
    await queued.send([{ ...queue, name: 'queue', args: [payload] }]);
    // The alerts of the change before may end meanwhile.
    const count = (change: string): number => published().filter((each) => each === change).length;
    const before = count('active parameter_change');
    const { changes, effects } = await statement(({ changes: all }) => all.length > 0);
    const valuesOf = new Map(changes.map(({ token, values }) => [token, values]));
    expect(valuesOf).toEqual(
      new Map([
        [weth!.toLowerCase(), [{ parameter: 'supply_cap', from: 'unlimited', to: String(cap * 10n ** 18n) }]],
        [usdc!.toLowerCase(), [{ parameter: 'borrow_cap', from: 'unlimited', to: String(cap * 10n ** 6n) }]],
      ]),
    );
    // Two wallets with debt supply WETH, and each of the five with debt owes USDC.
    expect(effects).toHaveLength(7);
    await waitFor(() => count('active parameter_change') === before + 7, {
      message: 'the alerts are published',
    });
    const caps = alerts.alerts.events
      .flatMap(({ value }) => (value?.content?.parameterChange?.proposalId === 'payload 2' ? [value] : []))
      .map(({ severity, title }) => `${severity}: ${title}`);
    expect(new Set(caps)).toEqual(
      new Set([
        'info: Aave V3 on Ethereum will change the supply cap of ETH',
        'info: Aave V3 on Ethereum will change the borrow cap of USDC',
        // One of them can be liquidated already.
        'high: Aave V3 on Ethereum will change the supply cap of ETH',
        'high: Aave V3 on Ethereum will change the borrow cap of USDC',
      ]),
    );

    await chain.rpc('evm_increaseTime', [DAY_SECONDS + 1]);
    await queued.send([{ ...queue, name: 'execute', args: [2] }]);
    const { ended } = await statement(({ ended: all }) =>
      all.some((each) => each.proposalId === 'payload 2'),
    );
    expect(ended).toContainEqual({ proposalId: 'payload 2', end: 'executed' });
    await waitFor(() => count('resolved parameter_change') === before + 7, {
      message: 'the alerts are resolved',
    });
  }, 120_000);
});
