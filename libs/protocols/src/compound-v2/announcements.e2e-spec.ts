import { deployVenusPool, venusArtifacts, type VenusPool } from '@plimsoll/devnet';
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  maxUint256,
  parseAbi,
  zeroAddress,
} from 'viem';
import { startLocalChain, standIns, testWallets, type LocalChain } from '../../test/local-chain';
import { FamilyReader } from '../reader/family-reader';
import { logIndex } from '../reader/log-index';
import { venusIsolated } from './reader';

const WAD = 10n ** 18n;
const DAY = 86_400;
const SIGNATURE = 'setCollateralFactor(address,uint256,uint256)';
/** Functions that the timelock may call. */
const PERMITTED = [
  SIGNATURE,
  'setMarketSupplyCaps(address[],uint256[])',
  'setMarketBorrowCaps(address[],uint256[])',
];
const comptrollerAbi = parseAbi([
  'function accessControlManager() view returns (address)',
  'function transferOwnership(address newOwner)',
  'function acceptOwnership()',
]);

/** The genuine pool of Venus behind a timelock with the functions and events of Compound's. */
describe('announced changes of Venus', () => {
  const [borrower, lender] = testWallets(2) as [Address, Address];
  let chain: LocalChain;
  let pool: VenusPool;
  let timelock: Address;
  let tokens: Address[];
  let reader: FamilyReader<never, never, never>;
  const artifacts = venusArtifacts();
  const { QueueTimelock } = standIns();

  beforeAll(async () => {
    chain = await startLocalChain({ codeSizeLimitBytes: 60_000 });
    const token = (symbol: string) => chain.deploy(artifacts.MockToken, [symbol, symbol, 18]);
    tokens = [await token('WETH'), await token('DAI')];
    pool = await deployVenusPool(
      chain.rpc,
      chain.operator,
      tokens.map((address, at) => ({
        symbol: ['WETH', 'DAI'][at]!,
        token: address,
        decimals: 18,
        collateralFactor: (WAD * 7n) / 10n,
        threshold: (WAD * 8n) / 10n,
      })),
      'MockPriceOracle',
      (call) =>
        tokens.forEach((address, at) =>
          call('setPrice', 'MockPriceOracle', 'setPrice', [address, [2_000n, 1n][at]! * WAD]),
        ),
    );
    timelock = await chain.deploy(QueueTimelock!, []);
    const [rights] = (await chain.readMany(
      [{ to: pool.comptroller, abi: comptrollerAbi as Abi, name: 'accessControlManager' }],
      await chain.head(),
    )) as [Address];
    const comptroller = { to: pool.comptroller, abi: comptrollerAbi as Abi };
    await chain.send([
      ...PERMITTED.map((signature) => ({
        to: rights,
        abi: artifacts.AccessControlManager.abi,
        name: 'giveCallPermission',
        args: [zeroAddress, signature, timelock],
      })),
      { ...comptroller, name: 'transferOwnership', args: [timelock] },
    ]);
    await chain.send([{ ...comptroller, name: 'acceptOwnership', from: timelock }]);
    const [weth, dai] = pool.vTokens as [Address, Address];
    const vToken = { abi: artifacts.VToken.abi, gas: 2_000_000n };
    for (const [at, wallet] of [borrower, lender].entries()) {
      const supplied = at === 0 ? 10n * WAD : 100_000n * WAD;
      const asset = { to: tokens[at]!, abi: artifacts.MockToken.abi, from: wallet };
      await chain.send([
        { ...asset, name: 'faucet', args: [supplied] },
        { ...asset, name: 'approve', args: [pool.vTokens[at], supplied] },
        { ...vToken, to: pool.vTokens[at]!, from: wallet, name: 'mint', args: [supplied] },
      ]);
    }
    await chain.send([
      {
        to: pool.comptroller,
        abi: artifacts.Comptroller.abi,
        from: borrower,
        name: 'enterMarkets',
        args: [[weth]],
        gas: 2_000_000n,
      },
      { ...vToken, to: dai, from: borrower, name: 'borrow', args: [12_000n * WAD] },
    ]);
    const row = {
      protocol: 'venus',
      family: 'venus-isolated',
      chainId: 1,
      market: 'Core',
      contracts: { comptroller: pool.comptroller },
    };
    const { client, multicall } = chain;
    reader = new FamilyReader(venusIsolated, row, { client, multicall, index: logIndex(client) }) as never;
  }, 180_000);
  afterAll(() => chain?.node.dispose());

  const announced = async () => {
    const block = await chain.head();
    const { accounts } = await reader.readAccounts([borrower, lender], block);
    const { changes, ended } = await reader.readAnnouncements(block, [...accounts.values()]);
    return {
      ended,
      changes: changes.map(({ effectsOn, ...change }) => ({
        ...change,
        effects: [borrower, lender].map((wallet) => effectsOn(accounts.get(wallet)!)),
      })),
    };
  };
  const healthFactor = async (): Promise<bigint> => {
    const { positions } = await reader.readPositions([borrower], await chain.head());
    return positions[0]!.healthFactorRaw!;
  };
  const queued = (name: string, threshold: bigint, eta: bigint, isSigned: boolean) => {
    const args = [pool.vTokens[0]!, (WAD * 6n) / 10n, threshold] as const;
    const parameters = encodeAbiParameters(
      [{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }],
      args,
    );
    const data = isSigned
      ? parameters
      : encodeFunctionData({
          abi: artifacts.Comptroller.abi as Abi,
          functionName: 'setCollateralFactor',
          args,
        });
    return {
      to: timelock,
      abi: QueueTimelock!.abi,
      name,
      args: [pool.comptroller, 0n, isSigned ? SIGNATURE : '', data, eta],
      gas: 2_000_000n,
    };
  };

  it.each([true, false])(
    'states the effect of a queued call, which is that of the call (signature: %s)',
    async (isSigned) => {
      const { timestamp } = await chain.head();
      const eta = timestamp + BigInt(2 * DAY);
      const threshold = isSigned ? (WAD * 75n) / 100n : (WAD * 70n) / 100n;
      const before = await healthFactor();
      await chain.send([queued('queueTransaction', threshold, eta, isSigned)]);
      const { changes } = await announced();
      expect(changes).toEqual([
        expect.objectContaining({
          source: timelock,
          token: tokens[0],
          symbol: 'WETH',
          values: [
            {
              parameter: 'liquidation_threshold',
              from: isSigned ? '0.8' : '0.75',
              to: isSigned ? '0.75' : '0.7',
            },
          ],
          earliestAt: eta,
          expiresAt: eta + BigInt(14 * DAY),
          isGradual: false,
        }),
      ]);
      const [effect] = changes[0]!.effects[0]!;
      expect(changes[0]!.effects[1]).toEqual([]);
      // Interest of some seconds.
      expect(Number(effect!.healthFactor) / Number(before)).toBeCloseTo(1, 6);
      await chain.passTime(2 * DAY);
      await chain.send([queued('executeTransaction', threshold, eta, isSigned)]);
      const after = await healthFactor();
      expect(Number(effect!.healthFactorAfter) / Number(after)).toBeCloseTo(1, 3);
      expect(await announced()).toMatchObject({
        changes: [],
        ended: expect.arrayContaining([{ proposalId: `timelock ${timelock} ${eta}`, end: 'executed' }]),
      });
    },
  );

  /** A call of the comptroller in the timelock. */
  const comptrollerCall = (name: string, functionName: string, args: readonly unknown[], eta: bigint) => ({
    to: timelock,
    abi: QueueTimelock!.abi,
    name,
    args: [
      pool.comptroller,
      0n,
      '',
      encodeFunctionData({ abi: artifacts.Comptroller.abi as Abi, functionName, args }),
      eta,
    ],
    gas: 2_000_000n,
  });

  it('states the caps of several markets that a call sets, without an effect on the health factor', async () => {
    const eta = (await chain.head()).timestamp + BigInt(2 * DAY);
    const [cap, supplies, borrows] = [5n * WAD, 'setMarketSupplyCaps', 'setMarketBorrowCaps'];
    const calls = (name: string) => [
      comptrollerCall(name, supplies, [pool.vTokens, [cap, maxUint256]], eta),
      comptrollerCall(name, borrows, [[pool.vTokens[1]], [2n * cap]], eta),
    ];
    await chain.send(calls('queueTransaction'));
    const { changes } = await announced();
    expect(changes.map(({ symbol, values }) => [symbol, values])).toEqual([
      ['WETH', [{ parameter: 'supply_cap', from: 'unlimited', to: String(cap) }]],
      ['DAI', [{ parameter: 'borrow_cap', from: 'unlimited', to: String(2n * cap) }]],
    ]);
    for (const { effects } of changes) {
      expect(effects).toEqual([[expect.objectContaining({ subId: expect.any(String) as string })], []]);
      expect(effects[0]![0]!.healthFactorAfter).toBe(effects[0]![0]!.healthFactor);
    }
    await chain.passTime(2 * DAY);
    await chain.send(calls('executeTransaction'));
    expect((await announced()).changes).toEqual([]);
  });

  it('states an oracle for all markets, with the health factor at its prices', async () => {
    const { abi } = artifacts.MockPriceOracle;
    const oracle = await chain.deploy(artifacts.MockPriceOracle, []);
    await chain.send(
      tokens.map((token, at) => ({
        to: oracle,
        abi,
        name: 'setPrice',
        args: [token, [1_900n, 1n][at]! * WAD],
      })),
    );
    const eta = (await chain.head()).timestamp + BigInt(2 * DAY);
    await chain.send([comptrollerCall('queueTransaction', 'setPriceOracle', [oracle], eta)]);
    const { changes } = await announced();
    const values = [{ parameter: 'oracle', from: pool.oracle.toLowerCase(), to: oracle.toLowerCase() }];
    expect(changes.map((each) => [each.symbol, each.values])).toEqual([
      ['WETH', values],
      ['DAI', values],
    ]);
    const [effect] = changes[0]!.effects[0]!;
    expect(Number(effect!.healthFactorAfter) / Number(effect!.healthFactor)).toBeCloseTo(1_900 / 2_000, 6);
    await chain.passTime(2 * DAY);
    await chain.send([comptrollerCall('executeTransaction', 'setPriceOracle', [oracle], eta)]);
    expect(Number(effect!.healthFactorAfter) / Number(await healthFactor())).toBeCloseTo(1, 3);
  });

  it('says how a call ended that was not made, and forgets it after some days', async () => {
    const { timestamp } = await chain.head();
    const [first, second] = [timestamp + BigInt(2 * DAY), timestamp + BigInt(3 * DAY)];
    const threshold = (WAD * 65n) / 100n;
    await chain.send([
      queued('queueTransaction', threshold, first, true),
      queued('queueTransaction', threshold, second, true),
      queued('cancelTransaction', threshold, first, true),
    ]);
    const proposal = (eta: bigint, end: string) => ({ proposalId: `timelock ${timelock} ${eta}`, end });
    expect(await announced()).toMatchObject({
      changes: [{ earliestAt: second }],
      ended: expect.arrayContaining([proposal(first, 'cancelled')]),
    });
    await chain.passTime(18 * DAY);
    expect((await announced()).ended).toEqual(expect.arrayContaining([proposal(second, 'expired')]));
    await chain.passTime(8 * DAY);
    expect(await announced()).toEqual({ changes: [], ended: [] });
  });
});
