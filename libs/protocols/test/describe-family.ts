import type { Artifact } from '@plimsoll/devnet';
import type { ContractRow } from '@plimsoll/evm';
import { maxUint256, type Address } from 'viem';
import { FamilyReader } from '../src/reader/family-reader';
import type { Family, HeldAccount, MarketAtBlock } from '../src/reader/family';
import type { RawLeg, RawPosition } from '../src/reader/raw-position';
import { expectRatios } from './expect-ratios';
import { expectVerified } from './expect-verified';
import { testWallets, type LocalChain } from './local-chain';
import { logIndex } from '../src/reader/log-index';

/** Least number of wallets with which a family is tested. */
const WALLET_COUNT = 220;
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const HOURS_PER_YEAR = 8_760n;

/** A protocol on the local chain, with a position of every wallet. */
export interface StandIn {
  contracts: ContractRow;
  /** Returns a wallet's collateral, debt and health factor by the protocol's own arithmetic. */
  figures: { to: Address; abi: Artifact['abi']; /** Default: figures. */ name?: string };
  /** Selects these three from its result. Default: they are its result. */
  figuresOf?: (result: readonly bigint[]) => readonly bigint[];
  /** The arguments of figures() for a position. Default: its wallet. */
  figuresArgs?: (position: RawPosition) => readonly unknown[];
  /** A contract that every account is read from. */
  heart: Address;
  usdOracles?: readonly Address[];
  /** Set if the protocol has no position without debt. */
  isAlwaysInDebt?: boolean;
  /** Wallets with a position, if not all have one. */
  holders?: readonly Address[];
}

/** The tests that every family must pass. `chain` exists when the tests run. */
export function describeFamily<L, M extends MarketAtBlock, A extends HeldAccount>(
  name: string,
  family: Family<L, M, A>,
  chain: () => LocalChain,
  build: (chain: LocalChain, wallets: readonly Address[]) => Promise<StandIn>,
): { reader: () => FamilyReader<L, M, A>; wallets: readonly Address[]; standIn: () => StandIn } {
  const wallets = testWallets(WALLET_COUNT);
  let standIn: StandIn;
  let reader: FamilyReader<L, M, A>;

  const readerOn = (contracts: ContractRow): FamilyReader<L, M, A> => {
    const row = { protocol: name, family: name, chainId: 1, market: name, contracts };
    const { client, multicall } = chain();
    return new FamilyReader(family, row, {
      client,
      multicall,
      usdOracles: standIn.usdOracles ?? [],
      index: logIndex(client),
    });
  };

  const expectEqual = async (seconds: number): Promise<void> => {
    await chain().passTime(seconds);
    const block = await chain().head();
    const { positions, unreadable, mismatches } = await reader.readPositions(wallets, block);
    expect({ unreadable, mismatches }).toEqual({ unreadable: [], mismatches: [] });
    expectVerified(name, positions);
    const held = new Set(positions.map(({ wallet }) => wallet));
    expect(held).toEqual(new Set(standIn.holders ?? wallets));
    const argsOf = standIn.figuresArgs ?? (({ wallet }: RawPosition) => [wallet]);
    const calls = positions.map((position) => ({
      name: 'figures',
      ...standIn.figures,
      args: argsOf(position),
    }));
    const results = (await chain().readMany(calls, block)) as bigint[][];
    const figuresOf = standIn.figuresOf ?? ((result) => [...result]);
    const computed = positions.map((position) => [
      position.totalCollateralRaw,
      position.totalDebtRaw,
      position.healthFactorRaw ?? maxUint256,
    ]);
    expect(computed).toEqual(results.map((result) => figuresOf(result)));
    expect(positions.length).toBeGreaterThanOrEqual(200);
  };

  describe(name, () => {
    beforeAll(async () => {
      standIn = await build(chain(), wallets);
      reader = readerOn(standIn.contracts);
    }, 60_000);

    it.each([0, 37, 40 * DAY_SECONDS, 400 * DAY_SECONDS])(
      'over 200 positions equals the contract to the wei, %d seconds later',
      expectEqual,
      30_000,
    );

    it('interest alone changes no principal, and without a principal a debt grows by at most twice a year', async () => {
      const principalsAt = async (): Promise<Map<string, RawLeg>> => {
        const { positions } = await reader.readPositions(wallets, await chain().head());
        return new Map(
          positions.flatMap(({ wallet, subId, legs }) =>
            legs.map((leg, at) => [`${wallet} ${subId} ${at}`, leg] as const),
          ),
        );
      };
      const before = await principalsAt();
      const snapshot = await chain().rpc.request('evm_snapshot', []);
      await chain().passTime(HOUR_SECONDS);
      const after = await principalsAt();
      await chain().rpc.request('evm_revert', [snapshot]);
      expect([...after.keys()]).toEqual([...before.keys()]);
      for (const [key, { scaledRaw, scaledGrows }] of after) {
        const from = before.get(key)!.scaledRaw;
        if (!scaledGrows) expect(scaledRaw).toBe(from);
        else expect(scaledRaw >= from && scaledRaw <= from + (2n * from) / HOURS_PER_YEAR + 2n).toBe(true);
      }
    });

    if (family.ratios)
      it('the inputs of its evaluations give its health factors 40 days later too', async () => {
        const snapshot = await chain().rpc.request('evm_snapshot', []);
        const pass = (): Promise<unknown> => chain().passTime(40 * DAY_SECONDS);
        expect(await expectRatios(reader, wallets, () => chain().head(), pass)).toBeGreaterThan(50);
        await chain().rpc.request('evm_revert', [snapshot]);
      });

    it('the positions include liquidatable ones, some without debt, with dust and with huge amounts', async () => {
      const { positions } = await reader.readPositions(wallets, await chain().head());
      const factors = positions.map(({ healthFactorRaw }) => healthFactorRaw);
      expect(factors.some((factor) => factor === null)).toBe(!standIn.isAlwaysInDebt);
      expect(factors.some((factor) => factor !== null && factor < 10n ** 18n)).toBe(true);
      const amounts = positions.flatMap(({ legs }) => legs.map((leg) => leg.amountRaw));
      expect(amounts.some((amount) => amount < 1_000n)).toBe(true);
      const wholes = positions.flatMap(({ legs }) =>
        legs.map((leg) => leg.amountRaw / 10n ** BigInt(leg.decimals)),
      );
      expect(wholes.some((whole) => whole > 10n ** 8n)).toBe(true);
    });

    it('a contract that cannot be read: unreadable, never an empty list', async () => {
      const { rpc } = chain();
      const snapshot = await rpc.request('evm_snapshot', []);
      await rpc.request('anvil_setCode', [standIn.heart, '0x60006000fd']);
      await chain().passTime(1);
      const { positions, unreadable } = await readerOn(standIn.contracts).readPositions(
        wallets,
        await chain().head(),
      );
      expect(positions).toEqual([]);
      expect(unreadable).toMatchObject([{ protocol: name, reason: 'call_failed' }]);
      await rpc.request('evm_revert', [snapshot]);
    });

    it('a registry row with a wrong address: the probe reports it', async () => {
      const block = await chain().head();
      expect(await reader.probe(block)).toEqual({ ok: true });
      const [nowhere] = testWallets(1, 0x7000);
      const moved = Object.fromEntries(Object.keys(standIn.contracts).map((key) => [key, nowhere]));
      expect(await readerOn(moved).probe(block)).toMatchObject({ ok: false, reason: 'call_failed' });
    });

    it('a wallet without holdings has no position and is not unreadable', async () => {
      const read = await reader.readPositions(testWallets(1, 0x8000), await chain().head());
      expect(read).toEqual({ positions: [], unreadable: [], mismatches: [] });
    });
  });
  return { reader: () => reader, wallets, standIn: () => standIn };
}
