import { setPrice, type DevnetAsset } from '@plimsoll/devnet';
import { createChainClient, type BlockRef } from '@plimsoll/evm';
import { encodeFunctionData, maxUint256, numberToHex, parseAbi, type Address, type Hex } from 'viem';
import { readerOver, startDevnetMarket, type DevnetMarket } from '../../test/devnet-market';
import { expectRatios } from '../../test/expect-ratios';
import { startBrokenNode } from '../../test/broken-node';
import type { RawPosition } from '../reader/raw-position';

const abi = parseAbi([
  'function getUserAccountData(address user) view returns (uint256 collateral, uint256 debt, uint256 available, uint256 threshold, uint256 ltv, uint256 healthFactor)',
  'function balanceOf(address user) view returns (uint256)',
  'function setEModeCategory(uint8 categoryId, uint16 ltv, uint16 liquidationThreshold, uint16 liquidationBonus, address oracle, string label)',
  'function setUserEMode(uint8 categoryId)',
  'function setReserveFreeze(address asset, bool freeze)',
  'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
]);
const reserveAbi = parseAbi([
  'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 currentLiquidityRate; uint128 variableBorrowIndex; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; uint16 id; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; address interestRateStrategyAddress; uint128 accruedToTreasury; uint128 unbacked; uint128 isolationModeTotalDebt; }',
  'function getReserveData(address asset) view returns (ReserveData)',
]);
const DAY_SECONDS = 86_400;

let market: DevnetMarket;
beforeAll(async () => {
  market = await startDevnetMarket();
}, 60_000);
afterAll(() => market.node.dispose());

const addressesOf = (wallets: readonly { address: Address }[]): Address[] =>
  wallets.map(({ address }) => address);

/** The contract's own figures of a wallet at a block, read directly. */
async function contractFigures(wallet: Address, { number }: BlockRef) {
  const [collateral, debt, , , , healthFactor] = await market.viem.readContract({
    address: market.addresses.pool,
    abi,
    functionName: 'getUserAccountData',
    args: [wallet],
    blockNumber: number,
  });
  return { collateral, debt, healthFactor: healthFactor === maxUint256 ? null : healthFactor };
}

async function expectExact(
  positions: readonly RawPosition[],
  block: BlockRef,
  verification: RawPosition['verification'],
): Promise<void> {
  expect(positions).toHaveLength(market.wallets.length);
  for (const position of positions) {
    const figures = {
      collateral: position.totalCollateralRaw,
      debt: position.totalDebtRaw,
      healthFactor: position.healthFactorRaw,
    };
    expect(figures).toEqual(await contractFigures(position.wallet, block));
    expect(position).toMatchObject({
      blockNumber: block.number,
      blockHash: block.hash,
      verification,
    });
  }
}

/** Evaluates accounts that were read before on the market of this block. */
async function evaluated(
  block: BlockRef,
  accounts: Awaited<ReturnType<DevnetMarket['reader']['readAccounts']>>,
) {
  const state = await market.reader.readMarket(block);
  return [...accounts.accounts.values()].flatMap((account) => market.reader.evaluate(state, account) ?? []);
}

async function balanceAt(token: Address, wallet: Address, { number }: BlockRef): Promise<bigint> {
  return market.viem.readContract({
    address: token,
    abi,
    functionName: 'balanceOf',
    args: [wallet],
    blockNumber: number,
  });
}

async function sendAs(from: Address, to: Address, data: Hex): Promise<bigint> {
  await market.client.request('anvil_impersonateAccount', [from]);
  const transaction = { from, to, data, gas: numberToHex(900_000) };
  const receipt = await market.client.request<{ status: Hex; blockNumber: Hex }>('eth_sendTransactionSync', [
    transaction,
  ]);
  expect(receipt.status).toBe('0x1');
  return BigInt(receipt.blockNumber);
}

describe('aave-v3', () => {
  it('health factor and totals equal getUserAccountData to the wei: at once, after time, after price changes', async () => {
    const accounts = await market.reader.readAccounts(addressesOf(market.wallets), await market.head());
    expect(accounts.unreadable).toEqual([]);
    const moves = [
      () => Promise.resolve(),
      () => market.passTime(37),
      () => market.passTime(40 * DAY_SECONDS),
      () => setPrice(market.node.url, market.addresses, 'ETH', 2_411.123_456_78),
      () => setPrice(market.node.url, market.addresses, 'USDC', 0.991_2),
      () => setPrice(market.node.url, market.addresses, 'WBTC', 120_001.5),
      () => market.passTime(400 * DAY_SECONDS),
    ];
    for (const move of moves) {
      await move();
      const block = await market.head();
      await expectExact(await evaluated(block, accounts), block, 'recomputed');
    }
  }, 60_000);

  it('amounts equal balanceOf of the market’s tokens to the wei', async () => {
    await market.passTime(3 * DAY_SECONDS);
    const block = await market.head();
    const { positions } = await market.reader.readPositions(addressesOf(market.wallets), block);
    for (const { wallet, legs } of positions) {
      for (const leg of legs) {
        const asset = market.addresses.assets[leg.symbol] as DevnetAsset;
        const tokens =
          leg.side === 'collateral' ? [asset.aToken] : [asset.variableDebtToken, asset.stableDebtToken];
        const balances = await Promise.all(tokens.map((token) => balanceAt(token, wallet, block)));
        expect(leg.amountRaw).toBe(balances.reduce((sum, balance) => sum + balance, 0n));
        expect(leg.oracle).toBe(asset.aggregator.toLowerCase());
      }
    }
  }, 60_000);

  it('the inputs of its evaluations give its health factors later too, except with stable debts', async () => {
    const pass = (): Promise<unknown> => market.passTime(40 * DAY_SECONDS);
    const wallets = addressesOf(market.wallets);
    expect(await expectRatios(market.reader, wallets, () => market.head(), pass)).toBeGreaterThan(10);
  });

  it('the rates of every reserve are the whole numbers that the pool states', async () => {
    const block = await market.head();
    const rates = (await market.reader.readRates(block))!;
    expect(rates.map(({ symbol }) => symbol).toSorted()).toEqual(
      Object.keys(market.addresses.assets).toSorted(),
    );
    for (const { token, supply, borrow } of rates) {
      const reserve = await market.viem.readContract({
        address: market.addresses.pool,
        abi: reserveAbi,
        functionName: 'getReserveData',
        args: [token],
        blockNumber: block.number,
      });
      expect(supply?.raw).toBe(reserve.currentLiquidityRate);
      expect(borrow?.raw).toBe(reserve.currentVariableBorrowRate);
    }
    expect(rates.some(({ supply }) => supply!.raw > 0n)).toBe(true);
  });

  it('rates are those of the pool, and interest moves a health factor accordingly', async () => {
    const before = await market.head();
    const first = await market.reader.readPositions(addressesOf(market.wallets), before);
    const rateOf = new Map(
      await Promise.all(
        Object.entries(market.addresses.assets).map(async ([symbol, { address }]) => {
          const data = await market.viem.readContract({
            address: market.addresses.pool,
            abi: reserveAbi,
            functionName: 'getReserveData',
            args: [address],
            blockNumber: before.number,
          });
          const share = (rate: bigint): number => Number(rate) / 1e27;
          return [
            symbol,
            { collateral: share(data.currentLiquidityRate), debt: share(data.currentVariableBorrowRate) },
          ] as const;
        }),
      ),
    );
    const hasOwnRate = new Set(
      market.wallets
        .filter(({ plan }) => plan.borrows.some(({ rate }) => rate === 'stable'))
        .map(({ address }) => address.toLowerCase()),
    );
    for (const { wallet, legs } of first.positions)
      for (const { symbol, side, annualRate } of legs)
        if (side === 'debt' && hasOwnRate.has(wallet)) expect(annualRate).toBeGreaterThan(0);
        else expect(annualRate).toBe(rateOf.get(symbol)![side]);
    await market.passTime(30 * DAY_SECONDS);
    const after = await market.head();
    const later = await market.reader.readPositions(addressesOf(market.wallets), after);
    const years = Number(after.timestamp - before.timestamp) / (365 * DAY_SECONDS);
    // With several collaterals the contract rounds the mean threshold.
    const simple = first.positions.flatMap(({ wallet, healthFactorRaw, legs }) => {
      const supply = legs.find(({ usedAsCollateral }) => usedAsCollateral);
      const debt = legs.find(({ side }) => side === 'debt');
      return legs.length === 2 && supply && debt ? [{ wallet, healthFactorRaw, supply, debt }] : [];
    });
    expect(simple.length).toBeGreaterThan(5);
    for (const { wallet, healthFactorRaw, supply, debt } of simple) {
      const now = later.positions.find((position) => position.wallet === wallet)!;
      const carried = Math.log(Number(healthFactorRaw) / Number(now.healthFactorRaw)) / years;
      const rates = [debt.annualRate!, supply.annualRate!] as const;
      // Supply earns by the rate of the last act in its reserve, without interest on interest.
      expect(Math.abs(carried - (rates[0] - rates[1]))).toBeLessThan(0.05 * (rates[0] + rates[1]));
    }
  }, 60_000);

  it('a full read finds no mismatch, and confirm finds none in evaluated positions', async () => {
    const block = await market.head();
    const read = await market.reader.readPositions(addressesOf(market.wallets), block);
    expect(read).toMatchObject({ unreadable: [], mismatches: [] });
    const confirmed = await market.reader.confirm(read.positions, block);
    expect(confirmed).toEqual(read);
  });

  it('entering an e-mode gives the predicted health factor', async () => {
    const wallets = market.wallets.filter(({ plan }) => plan.eMode);
    const before = await market.reader.readPositions(addressesOf(wallets), await market.head());
    expect(before.positions.flatMap(({ eModes }) => eModes ?? [])).toEqual([]);
    const { pool } = market.addresses;
    const setEMode = (wallet: Address, id: number): Promise<bigint> =>
      sendAs(wallet, pool, encodeFunctionData({ abi, functionName: 'setUserEMode', args: [id] }));
    let entered = 0;
    for (const { address, plan } of wallets) {
      // The pool lets a wallet leave the e-mode only if its health factor stays above 1.
      if ((plan.healthFactor ?? 0) < 1.3) continue;
      await setEMode(address, 0);
      const block = await market.head();
      const [position] = (await market.reader.readPositions([address], block)).positions;
      const [predicted] = position!.eModes!;
      expect(predicted).toMatchObject({ id: 1, label: expect.stringMatching(/\w/) });
      expect(predicted!.healthFactorRaw).toBeGreaterThan(position!.healthFactorRaw!);
      await setEMode(address, predicted!.id);
      const { healthFactor } = await contractFigures(address, await market.head());
      expect(Math.abs(Number(healthFactor) / Number(predicted!.healthFactorRaw) - 1)).toBeLessThan(1e-6);
      entered += 1;
    }
    expect(entered).toBeGreaterThan(0);
  }, 60_000);

  it('follows an e-mode with its own price and a frozen reserve', async () => {
    const { operator, poolConfigurator, assets } = market.addresses;
    const category = [1, 9_600, 9_700, 10_100, assets['DAI']!.address, 'Stablecoins'] as const;
    await sendAs(
      operator,
      poolConfigurator,
      encodeFunctionData({ abi, functionName: 'setEModeCategory', args: category }),
    );
    const freeze = [assets['LINK']!.address, true] as const;
    await sendAs(
      operator,
      poolConfigurator,
      encodeFunctionData({ abi, functionName: 'setReserveFreeze', args: freeze }),
    );
    await setPrice(market.node.url, market.addresses, 'DAI', 0.985);
    const block = await market.head();
    const { positions, mismatches } = await market.reader.readPositions(addressesOf(market.wallets), block);
    expect(mismatches).toEqual([]);
    await expectExact(positions, block, 'contract');
    const inEMode = market.wallets.find(({ plan }) => plan.eMode)!;
    const position = positions.find(({ wallet }) => wallet === inEMode.address.toLowerCase())!;
    expect(new Set(position.legs.map(({ priceRaw }) => priceRaw))).toEqual(new Set([98_500_000n]));
  }, 30_000);

  it('names the wallet that acted, and no other', async () => {
    const holder = market.wallets.find(({ plan }) => plan.label === 'only collateral')!;
    const before = await market.head();
    const stale = await evaluated(before, await market.reader.readAccounts([holder.address], before));
    const withdraw = [market.addresses.assets['WETH']!.address, 10n ** 17n, holder.address] as const;
    const data = encodeFunctionData({ abi, functionName: 'withdraw', args: withdraw });
    const minedIn = await sendAs(holder.address, market.addresses.pool, data);
    const wallet = holder.address.toLowerCase();
    const block = await market.head();
    const after = market.reader.readMarket(block);
    expect(await market.reader.readTouchedWallets(before.number + 1n, minedIn, after)).toEqual([wallet]);
    const { mismatches } = await market.reader.confirm(stale, block);
    expect(mismatches).toEqual([expect.objectContaining({ wallet, figure: 'totalCollateral' })]);
  });

  it('a wallet without holdings has no position and is not unreadable', async () => {
    const read = await market.reader.readPositions([`0x${'42'.repeat(20)}`], await market.head());
    expect(read).toEqual({ positions: [], unreadable: [], mismatches: [] });
  });

  it('reads the market of a block in one eth_call', async () => {
    const methods: string[] = [];
    const counting = {
      chainId: 1,
      request: <T>(method: string, params: readonly unknown[]): Promise<T> => {
        methods.push(method);
        return market.client.request(method, params);
      },
    };
    const reader = await readerOver(counting, market.addresses);
    await reader.readMarket(await market.head());
    await market.passTime(1);
    const block = await market.head();
    methods.length = 0;
    await reader.readMarket(block);
    // On anvil alone, the reader then checks whether the block is still the newest.
    expect(methods.filter((method) => method !== 'eth_blockNumber')).toEqual(['eth_call']);
  });
});

describe('aave-v3 where reading fails', () => {
  it('a node that returns errors: unreadable, never an empty list', async () => {
    const node = await startBrokenNode({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_603, message: 'internal' },
    });
    try {
      const client = createChainClient({ chainId: 1, rpcUrl: node.url, retryDelayMs: 1 });
      const reader = await readerOver(client, market.addresses);
      const block = await market.head();
      const { unreadable, positions } = await reader.readPositions(addressesOf(market.wallets), block);
      expect(positions).toEqual([]);
      expect(unreadable).toMatchObject([{ protocol: 'aave-v3', chainId: 1, reason: 'rpc_rejected' }]);
      expect(await reader.probe(block)).toMatchObject({ ok: false, reason: 'rpc_rejected' });
    } finally {
      await node.close();
    }
  });

  it('a node that is down: unreadable after bounded retries', async () => {
    const node = await startBrokenNode({});
    await node.close();
    const client = createChainClient({ chainId: 1, rpcUrl: node.url, retryDelayMs: 1 });
    const { unreadable } = await (
      await readerOver(client, market.addresses)
    ).readPositions([], await market.head());
    expect(unreadable).toMatchObject([{ reason: 'rpc_unavailable' }]);
  });

  it('a token that reverts: its holders are unreadable, by name', async () => {
    const { assets } = market.addresses;
    const snapshot = await market.client.request('evm_snapshot', []);
    await market.client.request('anvil_setCode', [assets['WBTC']!.aToken, '0x60006000fd']);
    await market.passTime(1);
    const wallet = market.wallets[0]!.address;
    const { positions, unreadable } = await market.reader.readPositions([wallet], await market.head());
    expect(positions).toEqual([]);
    expect(unreadable).toMatchObject([{ reason: 'call_failed', wallets: [wallet.toLowerCase()] }]);
    await market.client.request('evm_revert', [snapshot]);
  });

  it('an address without code: the probe reports it', async () => {
    const elsewhere = { ...market.addresses, addressesProvider: `0x${'13'.repeat(20)}` as Address };
    const reader = await readerOver(market.client, elsewhere);
    expect(await reader.probe(await market.head())).toMatchObject({ ok: false, reason: 'call_failed' });
  });

  it('a block that a reorg removed: unreadable with block_gone', async () => {
    await market.passTime(1);
    await market.passTime(1);
    const block = await market.head();
    await market.client.request('anvil_reorg', [2, []]);
    const { unreadable } = await market.reader.readPositions(addressesOf(market.wallets), block);
    expect(unreadable).toMatchObject([{ reason: 'block_gone' }]);
  });
});
