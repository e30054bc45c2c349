import type { Address } from 'viem';
import { eulerAccountOf } from './math';
import { describeFamily } from '../../test/describe-family';
import { amountsUsd } from '../../test/expect-totals';
import { amountsFrom, standIns, testWallets } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { isReadable } from '../reader/raw-position';
import { eulerV2 } from './reader';

const WAD = 10n ** 18n;
const USD = '0x0000000000000000000000000000000000000348';
const PRICES = { weth: 2_513n * WAD, wbtc: 91_234n * WAD * 10n ** 10n, usdc: 999_812n * 10n ** 24n };

const local = useLocalChain();
let [weth, junk]: Address[] = [];
const accounts = describeFamily('euler-v2', eulerV2, local, async (chain, wallets) => {
  const { EulerConnector, EulerFactory, EulerOracle, EulerVault, Token, UsdOracle } = standIns();
  const evc = await chain.deploy(EulerConnector!);
  const oracle = await chain.deploy(EulerOracle!);
  const factory = await chain.deploy(EulerFactory!);
  const usdOracle = await chain.deploy(UsdOracle!);
  const vaultOf = async (symbol: string, decimals: number) => {
    const token = await chain.deploy(Token!, [symbol, decimals]);
    return { token, vault: await chain.deploy(EulerVault!, [evc, oracle, token, USD]) };
  };
  const [ethers, wbtc, usdc] = [
    await vaultOf('WETH', 18),
    await vaultOf('WBTC', 8),
    await vaultOf('USDC', 6),
  ];
  const odd = await vaultOf('JUNK', 18);
  [weth, junk] = [ethers.vault, odd.vault];
  const price = (base: string, value: bigint) => ({
    to: oracle,
    abi: EulerOracle!.abi,
    name: 'setPrice',
    args: [base, value],
  });
  const onUsdc = { to: usdc.vault, abi: EulerVault!.abi };
  const inUsd = ({ token }: { token: string }, value: bigint) => ({
    to: usdOracle,
    abi: UsdOracle!.abi,
    name: 'setPrice',
    args: [token, value],
  });
  await chain.send([
    ...[ethers, wbtc, usdc, odd].map(({ vault }) => ({
      to: factory,
      abi: EulerFactory!.abi,
      name: 'add',
      args: [vault],
    })),
    inUsd(ethers, 2_500n * 10n ** 8n),
    inUsd(wbtc, 90_000n * 10n ** 8n),
    inUsd(usdc, 10n ** 8n),
    price(ethers.vault, PRICES.weth),
    price(wbtc.vault, PRICES.wbtc),
    price(usdc.token, PRICES.usdc),
    { ...onUsdc, name: 'setLtv', args: [ethers.vault, 8_600] },
    { ...onUsdc, name: 'setLtv', args: [wbtc.vault, 8_123] },
  ]);
  const { amount, chance, below } = amountsFrom(31);
  const set = (vault: typeof ethers, number: number, shares: readonly bigint[], debts: readonly bigint[]) =>
    inParts({ to: vault.vault, abi: EulerVault!.abi, name: 'set' }, [number], [wallets, shares, debts]);
  const none = wallets.map(() => 0n);
  for (const number of [0, 3]) {
    const ether = wallets.map(() => (number === 0 ? amount(18) : 0n));
    const btc = wallets.map(() => (number === 0 || chance(0.3) ? amount(8) : 0n));
    const debts = wallets.map((_, index) => {
      const value = (ether[index]! * PRICES.weth + btc[index]! * PRICES.wbtc) / PRICES.usdc;
      return chance(0.8) && value > 0n ? 1n + below(value) : 0n;
    });
    const vaults = [ethers.vault, wbtc.vault, odd.vault];
    const holders = wallets.filter((_, index) => ether[index]! + btc[index]! > 0n);
    await chain.send([
      ...inParts(
        { to: evc, abi: EulerConnector!.abi, name: 'enable' },
        [number, usdc.vault, vaults],
        [holders],
      ),
      ...set(ethers, number, ether, none),
      ...set(wbtc, number, btc, none),
      ...set(odd, number, btc, none),
      ...set(usdc, number, none, debts),
    ]);
  }
  return {
    contracts: { evc, eVaultFactory: factory },
    call: onUsdc,
    heart: evc,
    usdOracles: [usdOracle],
  };
});

describe('euler-v2 totals', () => {
  it('are those of all accounts at the chain’s prices; a vault of a token without one counts as zero', async () => {
    const block = await local().head();
    const { positions } = await accounts.reader().readPositions(accounts.wallets, block);
    const totals = await accounts.reader().readTotals(block);
    const usd = { WETH: 2_500, WBTC: 90_000, USDC: 1 };
    expect(totals!.suppliedUsd / amountsUsd(positions, 'collateral', usd)).toBeCloseTo(1, 6);
    expect(totals!.borrowedUsd / amountsUsd(positions, 'debt', usd)).toBeCloseTo(1, 6);
  });
});

describe('euler-v2 sub-accounts', () => {
  it('each sub-account is a separate position', async () => {
    const { positions } = await accounts.reader().readPositions(accounts.wallets, await local().head());
    const ofNumber = (number: string): number => positions.filter(({ subId }) => subId === number).length;
    expect(ofNumber('0')).toBe(accounts.wallets.length);
    expect(ofNumber('3')).toBeGreaterThan(30);
  });

  it('an address of the same 256 that is not their owner has none of them', async () => {
    const other = eulerAccountOf(accounts.wallets[0]!, '05');
    const { positions, unreadable } = await accounts.reader().readPositions([other], await local().head());
    expect({ positions, unreadable }).toEqual({ positions: [], unreadable: [] });
  });

  it('shares without an LTV are a leg that secures nothing', async () => {
    const { positions } = await accounts.reader().readPositions(accounts.wallets, await local().head());
    const junk = positions.flatMap(({ legs }) => legs.filter(({ symbol }) => symbol === 'JUNK'));
    expect(junk.length).toBeGreaterThan(200);
    expect(junk.every(({ usedAsCollateral }) => !usedAsCollateral)).toBe(true);
  });
});

describe('euler-v2 shares that secure nothing', () => {
  const [depositor, borrower, bystander] = testWallets(3, 0x9100);
  const send = (vault: Address, number: number, wallet: Address, shares: bigint): Promise<void> =>
    local().send([
      {
        to: vault,
        abi: standIns()['EulerVault']!.abi,
        name: 'set',
        args: [number, [wallet], [shares], [0n]],
      },
    ]);
  const read = async (wallet: Address) =>
    (await accounts.reader().readPositions([wallet], await local().head())).positions;

  it('shares of an account without a controller are a position, each sub-account for itself', async () => {
    await send(weth!, 0, depositor!, 2n * WAD);
    const [position, ...others] = await read(depositor!);
    expect(others).toEqual([]);
    expect(position).toMatchObject({
      subId: '0',
      totalCollateralRaw: 0n,
      totalDebtRaw: 0n,
      healthFactorRaw: null,
      usdPerBaseRaw: WAD,
      legs: [{ symbol: 'WETH', scaledRaw: 2n * WAD, priceRaw: 2_500n * WAD, usedAsCollateral: false }],
    });
  });

  it('shares that are not enabled as collateral change no figure of a loan', async () => {
    await local().send([
      {
        to: accounts.deployed().heart,
        abi: standIns()['EulerConnector']!.abi,
        name: 'enable',
        args: [1, accounts.deployed().call.to, [weth], [borrower]],
      },
    ]);
    await send(weth!, 1, borrower!, WAD);
    const [before] = await read(borrower!);
    await send(junk!, 1, borrower!, 5n);
    const [after] = await read(borrower!);
    expect(after).toMatchObject({
      totalCollateralRaw: before!.totalCollateralRaw,
      usdPerBaseRaw: WAD,
      legs: [{ symbol: 'WETH' }, { symbol: 'JUNK', priceRaw: 0n, usedAsCollateral: false }],
    });
  });

  it('shares without a price make only their own sub-account unreadable', async () => {
    // The connector knows the owner of the 256 accounts since its first call.
    await local().send([
      {
        to: accounts.deployed().heart,
        abi: standIns()['EulerConnector']!.abi,
        name: 'enable',
        args: [9, accounts.deployed().call.to, [], [bystander]],
      },
    ]);
    await send(weth!, 0, bystander!, WAD);
    await send(junk!, 7, bystander!, 1n);
    const positions = await read(bystander!);
    const readable = Object.fromEntries(positions.map((position) => [position.subId, isReadable(position)]));
    expect(readable).toEqual({ 0: true, 7: false });
  });
});
