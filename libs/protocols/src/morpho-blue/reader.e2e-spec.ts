import { morphoArtifacts } from '@plimsoll/devnet';
import type { BlockRef } from '@plimsoll/evm';
import {
  decodeFunctionResult,
  encodeAbiParameters,
  keccak256,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import {
  amountsFrom,
  standIns,
  startLocalChain,
  testWallets,
  type Call,
  type LocalChain,
} from '../../test/local-chain';
import { expectRatios } from '../../test/expect-ratios';
import { logIndex } from '../reader/log-index';
import { FamilyReader } from '../reader/family-reader';
import { morphoBlue } from './reader';
import type { RawPosition } from '../reader/raw-position';

const WAD = 10n ** 18n;
const PRICE_SCALE = 10n ** 36n;
const YEAR_SECONDS = 365 * 86_400;
const HUGE = 10n ** 32n;
const WALLETS = testWallets(100);

interface Params {
  loanToken: Address;
  collateralToken: Address;
  oracle: Address;
  irm: Address;
  lltv: bigint;
}

/**
 * Decimals of loan and collateral, price of a whole collateral token in whole loan tokens, lltv, fee, rate
 * model or none.
 */
const MARKETS = [
  { loan: 6, collateral: 18, price: 2_513.77, lltv: 0.86, fee: 0.1, hasIrm: true },
  { loan: 18, collateral: 8, price: 24.31, lltv: 0.915, fee: 0, hasIrm: true },
  { loan: 6, collateral: 6, price: 0.9987, lltv: 0.945, fee: 0.25, hasIrm: true },
  { loan: 18, collateral: 18, price: 1.1713, lltv: 0.965, fee: 0.05, hasIrm: true },
  { loan: 6, collateral: 18, price: 0.001_27, lltv: 0.385, fee: 0, hasIrm: false },
] as const;

const contracts = morphoArtifacts();
const { abi } = contracts.Morpho;
const toWad = (value: number): bigint => BigInt(Math.round(value * 1e6)) * 10n ** 12n;

let chain: LocalChain;
let morpho: Address;
let reader: ReturnType<typeof readerAt>;
const params = new Map<string, Params>();

const call = (name: string, args: readonly unknown[], from?: Address): Call => ({
  to: morpho,
  abi,
  name,
  args,
  gas: 700_000n,
  ...(from && { from }),
});

function readerAt(address: Address, usdOracles: readonly Address[]) {
  const row = {
    protocol: 'morpho-blue',
    family: 'morpho-blue',
    chainId: 1,
    market: 'morpho-blue',
    contracts: { morpho: address },
  };
  const index = logIndex(chain.client);
  return new FamilyReader(morphoBlue, row, {
    client: chain.client,
    multicall: chain.multicall,
    index,
    usdOracles,
  });
}

async function openMarkets(usdOracle: Address): Promise<void> {
  const { Token, UsdOracle } = standIns();
  const irm = await chain.deploy(contracts.IrmMock);
  await chain.send([
    call('enableIrm', [irm]),
    call('enableIrm', [zeroAddress]),
    call('setFeeRecipient', [testWallets(1, 0x9000)[0]]),
  ]);
  for (const [index, { loan, collateral, price, lltv, fee, hasIrm }] of MARKETS.entries()) {
    const oracle = await chain.deploy(contracts.OracleMock);
    const own: Params = {
      loanToken: await chain.deploy(Token!, [`LOAN${index}`, loan]),
      collateralToken: await chain.deploy(Token!, [`COLL${index}`, collateral]),
      oracle,
      irm: hasIrm ? irm : zeroAddress,
      lltv: toWad(lltv),
    };
    const priceRaw = (toWad(price) * 10n ** BigInt(18 + loan)) / 10n ** BigInt(collateral);
    await chain.send([
      { to: oracle, abi: contracts.OracleMock.abi, name: 'setPrice', args: [priceRaw] },
      {
        to: usdOracle,
        abi: UsdOracle!.abi,
        name: 'setPrice',
        args: [own.loanToken, 100_000_000n + BigInt(index)],
      },
      call('enableLltv', [own.lltv]),
      call('createMarket', [own]),
      ...(fee > 0 ? [call('setFee', [own, toWad(fee)])] : []),
      call('supply', [own, HUGE, 0n, chain.operator, '0x']),
    ]);
    params.set(idOf(own), own);
  }
}

const idOf = ({ loanToken, collateralToken, oracle, irm, lltv }: Params): Hex =>
  keccak256(
    encodeAbiParameters(
      ['address', 'address', 'address', 'address', 'uint256'].map((type) => ({ type })),
      [loanToken, collateralToken, oracle, irm, lltv],
    ),
  );

/**
 * Every wallet gets positions in two or three markets: lenders, only collateral, debts up to the limit, dust,
 * huge.
 */
async function openPositions(): Promise<void> {
  const { random, below, chance, amount } = amountsFrom(7);
  const supplies: Call[] = [];
  const borrows: Call[] = [];
  for (const wallet of WALLETS) {
    const chosen = [...params.values()].sort(() => random() - 0.5).slice(0, 2 + Number(chance(0.5)));
    for (const own of chosen) {
      const market = MARKETS[[...params.values()].indexOf(own)]!;
      if (chance(0.2)) supplies.push(call('supply', [own, amount(market.loan), 0n, wallet, '0x']));
      const collateral = amount(market.collateral);
      supplies.push(call('supplyCollateral', [own, collateral, wallet, '0x']));
      const price =
        (toWad(market.price) * 10n ** BigInt(18 + market.loan)) / 10n ** BigInt(market.collateral);
      const limit = (((collateral * price) / PRICE_SCALE) * own.lltv) / WAD;
      const debt = chance(0.15) ? limit - 2n : below(limit) - 2n;
      if (debt > 0n) borrows.push(call('borrow', [own, debt, 0n, wallet, wallet], wallet));
    }
  }
  // Calls of two senders have no defined order.
  await chain.send(supplies);
  await chain.send(borrows);
}

/**
 * The assets that the contract would take for all of a wallet's debt in a market, and return for all of its
 * supply.
 */
async function contractAssets(
  position: RawPosition,
  block: BlockRef,
): Promise<{ debt: bigint; supply: bigint }> {
  const own = params.get(position.subId)!;
  const { wallet } = position;
  const [held] = await chain.readMany([call('position', [position.subId, wallet])], block);
  const [supplyShares, borrowShares] = held as [bigint, bigint, bigint];
  const assetsOf = async (name: 'repay' | 'withdraw', args: readonly unknown[]): Promise<bigint> => {
    const data = await chain.tryCall(call(name, args, wallet), block);
    if (!data) throw new Error(`${name} reverts`);
    return (decodeFunctionResult({ abi, functionName: name, data }) as bigint[])[0]!;
  };
  return {
    debt: borrowShares > 0n ? await assetsOf('repay', [own, 0n, borrowShares, wallet, '0x']) : 0n,
    supply: supplyShares > 0n ? await assetsOf('withdraw', [own, 0n, supplyShares, wallet, wallet]) : 0n,
  };
}

/** Whether the contract lets a caller liquidate the position at this price of the oracle. */
async function canLiquidate(
  { subId, wallet }: RawPosition,
  price: bigint,
  block: BlockRef,
): Promise<boolean> {
  const own = params.get(subId)!;
  const slot = { stateDiff: { [`0x${'0'.repeat(64)}`]: `0x${price.toString(16).padStart(64, '0')}` } };
  const liquidate = call('liquidate', [own, wallet, 0n, 1n, '0x']);
  return (await chain.tryCall(liquidate, block, { [own.oracle]: slot })) !== null;
}

/** The lowest price at which, by our arithmetic, the debt is covered. */
function lowestHealthyPrice({ legs, totalDebtRaw, subId }: RawPosition): bigint {
  const collateral = legs.find(({ usedAsCollateral }) => usedAsCollateral)!.amountRaw;
  const { lltv } = params.get(subId)!;
  const isHealthy = (price: bigint): boolean =>
    (((collateral * price) / PRICE_SCALE) * lltv) / WAD >= totalDebtRaw;
  let [low, high] = [0n, 1n];
  while (!isHealthy(high)) high *= 2n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isHealthy(middle)) high = middle;
    else low = middle;
  }
  return high;
}

beforeAll(async () => {
  chain = await startLocalChain();
  morpho = await chain.deploy(contracts.Morpho, [chain.operator]);
  const usdOracle = await chain.deploy(standIns()['UsdOracle']!);
  await openMarkets(usdOracle);
  await openPositions();
  reader = readerAt(morpho, [usdOracle]);
}, 180_000);
afterAll(() => chain?.node.dispose());

describe('morpho-blue', () => {
  it("a debt costs the rate of its market's model, and collateral earns nothing", async () => {
    const block = await chain.head();
    const { positions } = await reader.readPositions(WALLETS, block);
    const asked = new Map<string, number>();
    for (const [id, own] of params) {
      if (own.irm === zeroAddress) {
        asked.set(id, 0);
        continue;
      }
      const [state] = await chain.readMany([call('market', [id])], block);
      const [supply, supplyShares, borrow, borrowShares, lastUpdate, fee] = state as bigint[];
      const market = {
        totalSupplyAssets: supply,
        totalSupplyShares: supplyShares,
        totalBorrowAssets: borrow,
        totalBorrowShares: borrowShares,
        lastUpdate,
        fee,
      };
      const model = { to: own.irm, abi: contracts.IrmMock.abi, name: 'borrowRateView', args: [own, market] };
      const [perSecond] = await chain.readMany([model], block);
      asked.set(id, (Number(perSecond) / 1e18) * YEAR_SECONDS);
    }
    expect(Math.max(...asked.values())).toBeGreaterThan(0);
    for (const { subId, legs } of positions)
      for (const { side, usedAsCollateral, annualRate } of legs)
        if (side === 'debt') expect(annualRate).toBe(asked.get(subId));
        else expect(annualRate).toBe(usedAsCollateral ? 0 : undefined);
  });

  it("the rates of every market are those of its model, and suppliers receive them less the market's fee", async () => {
    const snapshot = await chain.rpc.request('evm_snapshot', []);
    const before = await chain.head();
    const lent = [...params.values()].map(async (own) => {
      const key = { token: own.loanToken.toLowerCase() as Address, subId: idOf(own) };
      const { borrowedRaw } = (await reader.readReserve(key, before))!;
      // More of the supply is then lent, so that the rates have many digits.
      const rest = 2n * borrowedRaw! + 1n;
      return call('withdraw', [own, HUGE - rest, 0n, chain.operator, chain.operator]);
    });
    await chain.send(await Promise.all(lent));
    const block = await chain.head();
    const rates = (await reader.readRates(block))!;
    expect(rates.map(({ subId }) => subId).toSorted()).toEqual([...params.keys()].toSorted());
    for (const { subId, borrow, supply, token, collateral } of rates) {
      const own = params.get(subId)!;
      expect([token, collateral?.token]).toEqual(
        [own.loanToken, own.collateralToken].map((address) => address.toLowerCase()),
      );
      if (own.irm === zeroAddress) {
        expect([borrow, supply]).toEqual([0n, 0n].map((raw) => ({ raw, statedBy: null })));
        continue;
      }
      const [state] = (await chain.readMany([call('market', [subId])], block)) as [readonly bigint[]];
      const [totalSupplyAssets, totalSupplyShares, totalBorrowAssets, totalBorrowShares, lastUpdate, fee] =
        state;
      const market = {
        totalSupplyAssets,
        totalSupplyShares,
        totalBorrowAssets,
        totalBorrowShares,
        lastUpdate,
        fee,
      };
      const model = { to: own.irm, abi: contracts.IrmMock.abi, name: 'borrowRateView', args: [own, market] };
      const [perSecond] = await chain.readMany([model], block);
      expect(borrow).toEqual({ raw: perSecond, statedBy: 'borrowRateView' });
      // Suppliers gain what borrowers pay, less the fee.
      const { suppliedRaw, borrowedRaw } = (await reader.readReserve({ token, subId }, block))!;
      const [paid, gained] = [
        Number(borrowedRaw) * Number(perSecond),
        Number(suppliedRaw) * Number(supply!.raw),
      ];
      expect(supply!.statedBy).toBeNull();
      expect(gained / paid).toBeCloseTo(1 - Number(fee) / Number(WAD), 6);
    }
    await chain.rpc.request('evm_revert', [snapshot]);
  });

  it.each([0, 37, 40 * 86_400, YEAR_SECONDS])(
    "debt and supply of over 200 positions equal the genuine contract's transfers, %d seconds later",
    async (seconds) => {
      await chain.passTime(seconds);
      const block = await chain.head();
      const { positions, unreadable } = await reader.readPositions(WALLETS, block);
      expect(unreadable).toEqual([]);
      expect(positions.length).toBeGreaterThan(200);
      const assets = await Promise.all(positions.map((position) => contractAssets(position, block)));
      const computed = positions.map(({ legs, totalDebtRaw }) => ({
        debt: totalDebtRaw,
        supply:
          legs.find(({ side, usedAsCollateral }) => side === 'collateral' && !usedAsCollateral)?.amountRaw ??
          0n,
      }));
      expect(computed).toEqual(assets);
    },
    30_000,
  );

  it('the genuine contract liquidates one unit of price below the point where the health factor reaches 1, and not at it', async () => {
    const block = await chain.head();
    const { positions } = await reader.readPositions(WALLETS, block);
    const indebted = positions.filter(({ totalDebtRaw }) => totalDebtRaw > 0n);
    expect(indebted.length).toBeGreaterThan(150);
    const edges = await Promise.all(
      indebted.map(async (position) => {
        const price = lowestHealthyPrice(position);
        return [await canLiquidate(position, price, block), await canLiquidate(position, price - 1n, block)];
      }),
    );
    expect(edges).toEqual(indebted.map(() => [false, true]));
  }, 30_000);

  it('the health factor is below 1 exactly where the contract liquidates at today’s price', async () => {
    const block = await chain.head();
    const { positions } = await reader.readPositions(WALLETS, block);
    const indebted = positions.filter(({ healthFactorRaw }) => healthFactorRaw !== null);
    const prices = await chain.readMany(
      indebted.map(({ subId }) => ({
        to: params.get(subId)!.oracle,
        abi: contracts.OracleMock.abi,
        name: 'price',
      })),
      block,
    );
    const liquidatable = await Promise.all(
      indebted.map((position, index) => canLiquidate(position, prices[index] as bigint, block)),
    );
    expect(indebted.map(({ healthFactorRaw }) => healthFactorRaw! < WAD)).toEqual(liquidatable);
    expect(new Set(liquidatable)).toEqual(new Set([true, false]));
  }, 30_000);

  it('totals are in the loan token, with its dollar price beside them', async () => {
    const { positions } = await reader.readPositions(WALLETS, await chain.head());
    for (const { subId, priceDecimals, usdPerBaseRaw, legs } of positions) {
      const index = [...params.keys()].indexOf(subId);
      expect(priceDecimals).toBe(MARKETS[index]!.loan);
      expect(usdPerBaseRaw).toBe((100_000_000n + BigInt(index)) * 10n ** 10n);
      expect(legs.map(({ symbol }) => symbol)).toContain(`COLL${index}`);
    }
  });

  it("its total holdings and loans: each token's balance and debts, if a dollar oracle knows it", async () => {
    const snapshot = await chain.rpc.request('evm_snapshot', []);
    const held = [...params.values()].map(({ loanToken }, index) => ({
      loanToken,
      index,
      amount: 10n ** 30n * BigInt(index + 1),
    }));
    const { abi: tokenAbi } = standIns()['Token']!;
    await chain.send(
      held.map(({ loanToken, amount }) => ({
        to: loanToken,
        abi: tokenAbi,
        name: 'hold',
        args: [morpho, amount],
      })),
    );
    const block = await chain.head();
    const { positions } = await reader.readPositions(WALLETS, block);
    const expected = held.map(({ index, amount }) => {
      const id = [...params.keys()][index]!;
      const owed = positions
        .filter(({ subId }) => subId === id)
        .reduce((sum, { totalDebtRaw }) => sum + totalDebtRaw, 0n);
      const usd = (raw: bigint): number =>
        (Number(raw) * (100_000_000 + index)) / 10 ** (MARKETS[index]!.loan + 8);
      return { borrowedUsd: usd(owed), suppliedUsd: usd(owed + amount) };
    });
    const sum = (figure: 'borrowedUsd' | 'suppliedUsd'): number =>
      expected.reduce((all, each) => all + each[figure], 0);
    const totals = await reader.readTotals(block);
    expect(totals!.borrowedUsd / sum('borrowedUsd')).toBeCloseTo(1, 9);
    expect(totals!.suppliedUsd / sum('suppliedUsd')).toBeCloseTo(1, 9);
    await chain.rpc.request('evm_revert', [snapshot]);
  });

  it('names the wallet that acted, and evaluates accounts that were read before at a later block', async () => {
    const [wallet] = WALLETS;
    const before = await chain.head();
    const { accounts } = await reader.readAccounts(WALLETS, before);
    await chain.send([call('supplyCollateral', [[...params.values()][0], 5n, wallet, '0x'])]);
    await chain.passTime(1_000);
    const block = await chain.head();
    const after = reader.readMarket(block);
    expect(await reader.readTouchedWallets(before.number + 1n, block.number, after)).toEqual([wallet]);
    const market = await after;
    const kept = WALLETS.slice(1).flatMap((each) => reader.evaluate(market, accounts.get(each)!) ?? []);
    const { positions } = await reader.readPositions(WALLETS.slice(1), block);
    expect(kept).toEqual(positions);
    const { mismatches } = await reader.confirm(reader.evaluate(market, accounts.get(wallet!)!)!, block);
    expect(new Set(mismatches.map((each) => each.wallet))).toEqual(new Set([wallet]));
  });

  it('the inputs of its evaluations give its health factors 40 days later too', async () => {
    const pass = (): Promise<unknown> => chain.passTime(40 * 86_400);
    expect(await expectRatios(reader, WALLETS, () => chain.head(), pass)).toBeGreaterThan(50);
  });

  it('an oracle that fails: the debts in its market are unreadable, and no other position', async () => {
    const block = await chain.head();
    const { positions } = await reader.readPositions(WALLETS, block);
    const [id, { oracle }] = [...params][1]!;
    const borrowers = positions.filter(({ subId, totalDebtRaw }) => subId === id && totalDebtRaw > 0n);
    const snapshot = await chain.rpc.request('evm_snapshot', []);
    await chain.rpc.request('anvil_setCode', [oracle, '0x60006000fd']);
    await chain.passTime(1);
    const read = await reader.readPositions(WALLETS, await chain.head());
    const keyOf = ({ wallet, subId }: { wallet: Address; subId: string }) => `${wallet} ${subId}`;
    const failed = read.positions.filter(({ unreadable }) => unreadable !== undefined);
    expect(read.unreadable).toEqual([]);
    expect(new Set(failed.map(keyOf))).toEqual(new Set(borrowers.map(keyOf)));
    expect(read.positions.length).toBe(positions.length);
    await chain.rpc.request('evm_revert', [snapshot]);
  });

  it('an address without code: the probe reports it, and readPositions is unreadable', async () => {
    const elsewhere = readerAt(testWallets(1, 0x7000)[0]!, []);
    const block = await chain.head();
    expect(await elsewhere.probe(block)).toMatchObject({ ok: false, reason: 'call_failed' });
    expect(await elsewhere.readPositions(WALLETS, block)).toMatchObject({
      positions: [],
      unreadable: [{ reason: 'call_failed' }],
    });
  });

  it('a wallet without holdings has no position and is not unreadable', async () => {
    const read = await reader.readPositions([`0x${'42'.repeat(20)}`], await chain.head());
    expect(read).toEqual({ positions: [], unreadable: [], mismatches: [] });
  });
});
