import { contractOf, optionalContractOf, readAll, type MarketRow } from '@plimsoll/evm';
import { encodeFunctionData, parseAbi, zeroAddress, type Address } from 'viem';
import { openRecording } from '../../test/open-recording';
import { FamilyReader } from '../reader/family-reader';
import { compoundV2 } from './reader';

const abi = parseAbi([
  'function getAllMarkets() view returns (address[])',
  'function oracle() view returns (address)',
  'function getAssetsIn(address user) view returns (address[])',
  'function getUnderlyingPrice(address token) view returns (uint256)',
  'function balanceOf(address user) view returns (uint256)',
  'function borrowBalanceCurrent(address user) view returns (uint256)',
  'function liquidationIncentiveMantissa() view returns (uint256)',
]);
const PROTOCOLS = ['benqi', 'compound-v2', 'moonwell'];

describe.each(PROTOCOLS)('the contracts of %s', (protocol) => {
  const [accrued, fresh] = ['400-days', 'no-interest'].map((state) =>
    openRecording(`compound-v2/${protocol}-${state}`),
  ) as [ReturnType<typeof openRecording>, ReturnType<typeof openRecording>];
  const { row, scope, reader, wallets, block } = accrued;
  const comptroller = contractOf(row, 'comptroller');

  it('interest of 400 days changes no supply, and a debt grows by at most twice a year', async () => {
    const legsOf = async ({ reader: of, block: at }: typeof accrued) => {
      const { positions } = await of.readPositions(wallets, at);
      return positions.flatMap(({ legs }) => legs);
    };
    const [before, after] = [await legsOf(fresh), await legsOf(accrued)];
    expect(after.map(({ symbol, side }) => [symbol, side])).toEqual(
      before.map(({ symbol, side }) => [symbol, side]),
    );
    for (const [at, { side, scaledRaw, scaledGrows }] of after.entries()) {
      const from = before[at]!.scaledRaw;
      expect(scaledGrows ?? false).toBe(side === 'debt');
      if (side === 'debt') expect(scaledRaw >= from && scaledRaw <= 4n * from).toBe(true);
      else expect(scaledRaw).toBe(from);
    }
  });

  it('the wallets that entered a market without a price are unreadable, by name, and no others', async () => {
    const { markets, oracle, entered } = await readAll(scope, 'entered', block, (plan) => ({
      markets: plan.call(comptroller, abi, 'getAllMarkets', []),
      oracle: plan.call(comptroller, abi, 'oracle', []),
      entered: wallets.map((wallet) => plan.call(comptroller, abi, 'getAssetsIn', [wallet])),
    }));
    const prices = await readAll(scope, 'prices', block, (plan) =>
      markets.map((market) => plan.attempt(oracle, abi, 'getUnderlyingPrice', [market])),
    );
    const isPriced = prices.map((price) => price.ok && price.value > 0n);
    const unpriced = markets.filter((_, at) => !isPriced[at]);
    expect(unpriced).toHaveLength(1);
    const holders = wallets.filter((_, at) => entered[at]!.includes(unpriced[0]!));
    const balances = await readAll(scope, 'balances', block, (plan) =>
      holders.map((wallet) =>
        markets.flatMap((market) => [
          plan.call(market, abi, 'balanceOf', [wallet]),
          plan.call(market, abi, 'borrowBalanceCurrent', [wallet]),
        ]),
      ),
    );
    const { unreadable } = await reader.readPositions(wallets, block);
    // A wallet that entered it and holds nothing at all has no position.
    expect(unreadable.flatMap((each) => each.wallets).toSorted()).toEqual(
      holders.filter((_, at) => balances[at]!.some((balance) => balance > 0n)).toSorted(),
    );
  });

  it('the liquidation bonus is the incentive of the comptroller', async () => {
    const incentive = await readAll(scope, 'incentive', block, (plan) =>
      plan.call(comptroller, abi, 'liquidationIncentiveMantissa', []),
    );
    const { positions } = await reader.readPositions(wallets, block);
    const bonuses = positions.flatMap(({ legs }) =>
      legs
        .filter((leg) => leg.usedAsCollateral && leg.liquidationThresholdBps > 0n)
        .map(({ liquidationBonusBps }) => liquidationBonusBps),
    );
    expect(new Set(bonuses)).toEqual(new Set([incentive / 10n ** 14n - 10_000n]));
  });
});

describe.each(PROTOCOLS)('a market of %s that cannot be read', (protocol) => {
  const name = `compound-v2/${protocol}-400-days`;
  const { row, scope, reader, wallets, block } = openRecording(name);
  const comptroller = contractOf(row, 'comptroller');

  /** The markets with the wallets that entered each, and the balances of all wallets. */
  async function readBalances() {
    const { markets, entered } = await readAll(scope, 'entered', block, (plan) => ({
      markets: plan.call(comptroller, abi, 'getAllMarkets', []),
      entered: wallets.map((wallet) => plan.call(comptroller, abi, 'getAssetsIn', [wallet])),
    }));
    const balances = await readAll(scope, 'balances', block, (plan) =>
      markets.map((market) => wallets.map((wallet) => plan.call(market, abi, 'balanceOf', [wallet]))),
    );
    return markets.map((market, at) => ({
      market: market.toLowerCase() as Address,
      entered: new Set(wallets.filter((_, index) => entered[index]!.includes(market))),
      holders: new Set(wallets.filter((_, index) => balances[at]![index]! > 0n)),
    }));
  }
  const hiddenIn = ({ unreadable }: { unreadable: readonly { wallets: readonly Address[] }[] }) =>
    new Set(unreadable.flatMap((each) => each.wallets));

  it('because its interest fails: hides who entered it; who only holds its token has the rest, and others have all', async () => {
    const before = await reader.readPositions(wallets, block);
    const found = await readBalances();
    const shown = new Set(before.positions.map(({ wallet }) => wallet));
    const beside = ({ holders, entered }: (typeof found)[number]) =>
      [...holders].filter((wallet) => shown.has(wallet) && !entered.has(wallet));
    const failing = found.find((each) => each.entered.size > 0 && beside(each).length > 0)!;
    const { market, entered } = failing;
    const stored = encodeFunctionData({ abi, functionName: 'balanceOf', args: [zeroAddress] }).slice(0, 10);
    const read = await openRecording(name, 0, {
      // Calls that accrue interest revert, and stored balances stay readable.
      faults: ({ to, data }) =>
        to === market && !data.startsWith(stored) ? { ok: false, data: '0x' } : undefined,
    }).reader.readPositions(wallets, block);
    expect(hiddenIn(read)).toEqual(new Set([...hiddenIn(before), ...entered]));
    const unread = read.positions.filter((position) => position.unreadable !== undefined);
    expect(unread.map(({ wallet, subId }) => [wallet, subId])).toEqual(
      wallets.filter((wallet) => beside(failing).includes(wallet)).map((wallet) => [wallet, market]),
    );
    const others = before.positions.filter(
      ({ wallet }) => !entered.has(wallet) && !failing.holders.has(wallet),
    );
    const rest = read.positions.filter(({ wallet }) => others.some((each) => each.wallet === wallet));
    expect(others.length).toBeGreaterThan(20);
    expect(rest).toEqual(others);
    const partly = read.positions.filter(
      (position) => position.unreadable === undefined && beside(failing).includes(position.wallet),
    );
    expect(partly.length).toBeGreaterThan(0);
    for (const { wallet, healthFactorRaw } of partly)
      expect(healthFactorRaw).toBe(before.positions.find((each) => each.wallet === wallet)!.healthFactorRaw);
  });
});

describe('a market without an underlying token', () => {
  const { row, scope, client, reader, wallets, block } = openRecording('compound-v2/compound-v2-400-days');
  const nativeMarket = optionalContractOf(row.contracts, 'nativeMarket')!;

  it('is one of the chain’s own coin only where the row names it; otherwise what is held there is unreadable', async () => {
    const { positions, unreadable } = await reader.readPositions(wallets, block);
    const balances = await readAll(scope, 'balances', block, (plan) =>
      positions.map(({ wallet }) => [
        plan.call(nativeMarket, abi, 'balanceOf', [wallet]),
        plan.call(nativeMarket, abi, 'borrowBalanceCurrent', [wallet]),
      ]),
    );
    const isHolder = (at: number): boolean => balances[at]!.some((balance) => balance > 0n);
    const inEther = positions.filter(({ legs }) => legs.some(({ symbol }) => symbol === 'ETH'));
    expect(inEther).toEqual(positions.filter((_, at) => isHolder(at)));
    expect(inEther.length).toBeGreaterThan(20);

    const unnamed: MarketRow = { ...row, contracts: { comptroller: contractOf(row, 'comptroller') } };
    const { multicall } = scope;
    const read = await new FamilyReader(compoundV2, unnamed, { client, multicall }).readPositions(
      wallets,
      block,
    );
    const entered = await readAll(scope, 'entered', block, (plan) =>
      inEther.map(({ wallet }) => plan.call(contractOf(row, 'comptroller'), abi, 'getAssetsIn', [wallet])),
    );
    const enteredEther = inEther.filter((_, at) =>
      entered[at]!.some((market) => market.toLowerCase() === nativeMarket),
    );
    const hidden = new Set<Address>(read.unreadable.flatMap((each) => each.wallets));
    const before = new Set(unreadable.flatMap((each) => each.wallets));
    expect([...hidden].filter((wallet) => !before.has(wallet)).toSorted()).toEqual(
      enteredEther.map(({ wallet }) => wallet).toSorted(),
    );
    // A holding that secures nothing hides nothing else.
    const unread = read.positions.filter((position) => position.unreadable !== undefined);
    expect(unread.map(({ wallet, subId }) => [wallet, subId])).toEqual(
      inEther.filter((each) => !enteredEther.includes(each)).map(({ wallet }) => [wallet, nativeMarket]),
    );
    expect(read.unreadable).toMatchObject([{ reason: 'call_failed' }]);
  });
});
