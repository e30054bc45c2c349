import {
  type Identity,
  type PositionDetail,
  type PositionList,
  type PositionV1,
  type ProblemBody,
  positionId,
} from '@plimsoll/contracts';
import { DEVNET_MARKET, type SeededWallet, assetListing, setPrice } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import { OperationsServer } from '@plimsoll/service-kit';
import { maxUint256 } from 'viem';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

const SEEDED_ETH_USD = Number(assetListing('WETH').priceUsd) / 1e8;

jest.setTimeout(30_000);

describe('tracking on a chain', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  const me = identityOf('enterprise');

  beforeAll(async () => {
    chain = await startChain();
    service = await startedService();
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 60_000);

  const startedService = async (): Promise<ServiceFixture> => {
    const started = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    await started.start();
    await waitFor(async () => started.isReady(), {
      message: 'the service is ready',
    });
    return started;
  };
  const setEth = (usd: number) => setPrice(chain.node.url, chain.addresses, 'WETH', usd);
  const watch = (address: string, as: Identity = me) => service.call('POST', '/v1/wallets', as, { address });
  const listOf = (address: string) =>
    service.call<PositionList & ProblemBody>('GET', `/v1/positions?wallet=${address}`, me);
  const idOf = ({ address }: SeededWallet): string =>
    positionId({ protocol: 'aave-v3', chainId: 1, market: DEVNET_MARKET, subId: '', wallet: address });
  /** A wallet seeded at this health factor with only WETH against one stable coin. */
  const borrowerAt = (healthFactor: number): SeededWallet => {
    const found = chain.wallets.find(
      ({ plan }) =>
        plan.healthFactor === healthFactor &&
        plan.supplies.length === 1 &&
        plan.supplies[0]?.symbol === 'WETH',
    );
    if (!found) throw new Error(`no seeded wallet with WETH alone at ${healthFactor}`);
    return found;
  };
  const sameAsContract = async (event: PositionV1): Promise<void> => {
    const figures = await chain.accountData(event.wallet, event.block);
    expect({
      totalCollateralRaw: BigInt(event.totalCollateralRaw),
      totalDebtRaw: BigInt(event.totalDebtRaw),
      healthFactorRaw: event.healthFactorRaw === null ? null : BigInt(event.healthFactorRaw),
    }).toEqual(figures);
  };

  it('a newly watched wallet is read immediately: position.v1 with the figures of the contract', async () => {
    const { address } = borrowerAt(1.4);
    await watch(address);
    const event = await service.waitForPosition(address, ({ reason }) => reason === 'discovered');
    expect(event).toMatchObject({
      sequence: 1,
      material: true,
      closed: false,
      previousBand: null,
      band: 'moderate',
    });
    await sameAsContract(event);
  });

  it('assets have their rates of supply and debt', async () => {
    const wallet = borrowerAt(1.4);
    const event = await service.waitForPosition(wallet.address, () => true);
    const [supply, debt] = (['collateral', 'debt'] as const).map((side) =>
      event.legs.find((leg) => leg.side === side)!,
    );
    expect([supply!.supplyRate, debt!.borrowRate]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(debt!.borrowRate).toBeGreaterThan(supply!.supplyRate!);
    expect([supply!.borrowRate, debt!.supplyRate]).toEqual([undefined, undefined]);
    const { body } = await service.call<PositionDetail>('GET', `/v1/positions/${idOf(wallet)}`, me);
    expect(body.collateralAssets[0]?.supplyRate).toBe(supply!.supplyRate);
    expect(body.debtAssets[0]?.borrowRate).toBe(debt!.borrowRate);
  });

  it('every seeded position: event and response equal getUserAccountData to the wei', async () => {
    for (const { address } of chain.wallets) await watch(address);
    for (const { address } of chain.wallets)
      await sameAsContract(await service.waitForPosition(address, () => true));
    const response = await service.call<PositionList>('GET', '/v1/positions?limit=200', me);
    const { positions, asOfBlock, blockHash, unreadable, nextCursor } = response.body;
    expect(positions).toHaveLength(chain.wallets.length);
    expect([unreadable, nextCursor]).toEqual([[], null]);
    const block = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', [
      `0x${asOfBlock['1']?.toString(16)}`,
      false,
    ]);
    expect(blockHash).toEqual({ '1': block.hash });
    for (const { wallet, healthFactorRaw } of positions) {
      const figures = await chain.accountData(wallet, asOfBlock['1'] ?? 0);
      expect(healthFactorRaw).toBe(figures.healthFactorRaw?.toString() ?? null);
    }
  }, 60_000);

  it('a price shock publishes a material event with the exact health factor and the band before', async () => {
    const { address } = borrowerAt(1.4);
    await setEth(SEEDED_ETH_USD * 0.845);
    const event = await service.waitForPosition(address, ({ band }) => band === 'high');
    expect(event).toMatchObject({ reason: 'band', previousBand: 'moderate', material: true, sequence: 2 });
    expect(event.previousHealthFactor).toBeCloseTo(1.4, 2);
    await sameAsContract(event);
  });

  it('publishes once for every position that a shock changes, and nothing for the others', async () => {
    const holdsEth = ({ amounts }: SeededWallet): boolean =>
      [...amounts.supplies, ...amounts.borrows].some(({ symbol }) => symbol === 'WETH') &&
      amounts.borrows.length > 0;
    const moved = chain.wallets.filter(holdsEth);
    const { blockNumber } = await setEth(SEEDED_ETH_USD);
    // Events of the previous shock may still arrive. The events of this one begin with its block.
    const published = (): string[] =>
      service.events.positions.flatMap(({ value }) =>
        value && value.block >= Number(blockNumber) ? [value.wallet] : [],
      );
    await waitFor(() => published().length >= moved.length, { message: `${moved.length} events` });
    expect(published().sort()).toEqual(moved.map(({ address }) => address.toLowerCase()).sort());
  });

  it('a change while the service is down is published after its start', async () => {
    const { address } = borrowerAt(1.17);
    const last = await service.waitForPosition(address, () => true);
    await service.stop();
    await setEth(SEEDED_ETH_USD * 0.84);
    await service.start();
    const event = await service.waitForPosition(address, ({ band }) => band === 'liquidatable');
    expect(event.sequence).toBeGreaterThan(last.sequence);
    expect(event).toMatchObject({ previousBand: 'high', material: true });
    await sameAsContract(event);
    await setEth(SEEDED_ETH_USD);
    await service.waitForPosition(
      address,
      ({ band, sequence }) => band === 'high' && sequence > event.sequence,
    );
  });

  it('a reorg reverts a change: a later sequence from the current chain', async () => {
    const { address } = borrowerAt(1.17);
    await setEth(SEEDED_ETH_USD * 0.8);
    const fallen = await service.waitForPosition(
      address,
      ({ healthFactor }) => healthFactor !== null && healthFactor < 0.95,
    );
    await chain.rpc('anvil_reorg', [1, []]);
    const corrected = await service.waitForPosition(
      address,
      ({ sequence, band }) => sequence > fallen.sequence && band === 'high',
    );
    expect(corrected.blockHash).not.toBe(fallen.blockHash);
    await sameAsContract(corrected);
  });

  it('responses have the last figures and state that while the node is down, and current figures afterwards', async () => {
    const { address } = borrowerAt(1.4);
    const before = (await listOf(address)).body;
    chain.pause();
    const degraded = await waitFor(
      async () => {
        const { body } = await listOf(address);
        return body.unreadable.length > 0 && body;
      },
      { message: 'the health check reports unreadable', timeoutMs: 40_000 },
    );
    expect(degraded.unreadable).toEqual([{ protocol: 'aave-v3', chainId: 1, reason: 'rpc_unavailable' }]);
    expect(degraded.positions).toEqual(before.positions);
    expect(degraded.asOfBlock).toEqual(before.asOfBlock);
    chain.resume();
    await waitFor(async () => (await listOf(address)).body.unreadable.length === 0, {
      message: 'readable again',
      timeoutMs: 40_000,
    });
  }, 100_000);

  it('responds with the stored rows, each with its own block, when it was started while the node is down', async () => {
    const { address } = borrowerAt(1.4);
    const last = service.events.positions.findLast(
      ({ value }) => value?.wallet === address.toLowerCase(),
    )?.value;
    await service.stop();
    chain.pause();
    await service.start();
    const { status, body } = await listOf(address);
    expect(status).toBe(200);
    expect(body.positions).toMatchObject([{ healthFactorRaw: last?.healthFactorRaw }]);
    expect(body.asOfBlock).toEqual({ '1': last?.block });
    expect(body.unreadable).toHaveLength(1);
    // Another position of the same wallet in the same market, known only by its id: it is unknown whether it
    // was closed.
    const other = { ...last!, subId: 'never-stored' };
    const otherId = positionId(other);
    await service.pool.query(
      `INSERT INTO position_keys (id, protocol, chain_id, market, sub_id, wallet) VALUES ($1, $2, $3, $4, $5, $6)`,
      [otherId, other.protocol, other.chainId, other.market, other.subId, other.wallet],
    );
    const detail = await service.call<ProblemBody>('GET', `/v1/positions/${otherId}`, me);
    expect([detail.status, detail.body.code]).toEqual([503, 'upstream_unavailable']);
    const same = await service.call<PositionDetail>('GET', `/v1/positions/${last?.id}`, me);
    expect(same).toMatchObject({ status: 200, body: { healthFactorRaw: last?.healthFactorRaw } });
    chain.resume();
    await waitFor(async () => (await listOf(address)).body.unreadable.length === 0, {
      message: 'readable again',
      timeoutMs: 40_000,
    });
  }, 100_000);

  it('GET /v1/positions/:id: the exact strings of every leg, and 404 for an unknown id', async () => {
    const wallet = chain.wallets.find(({ plan }) => plan.supplies.length === 2 && plan.borrows.length === 2);
    const id = idOf(wallet as SeededWallet);
    const { status, body } = await service.call<PositionDetail>(
      'GET',
      `/v1/positions/${id}`,
      identityOf('pro'),
    );
    expect(status).toBe(200);
    const { totalCollateralRaw } = await chain.accountData(body.wallet, body.asOfBlock['1'] ?? 0);
    const collateral = body.collateralAssets
      .map(
        ({ amountRaw, priceRaw, decimals }) =>
          (BigInt(amountRaw) * BigInt(priceRaw)) / 10n ** BigInt(decimals),
      )
      .reduce((sum, value) => sum + value, 0n);
    expect(collateral).toBe(totalCollateralRaw);
    expect(body.collateralAssets.map(({ liquidationBonusBps }) => liquidationBonusBps)).toEqual(
      body.collateralAssets.map(({ asset }) => Number(assetListing(asset).liquidationBonusBps) - 10_000),
    );
    expect(body.debtAssets).toHaveLength(2);
    expect(body.totalCollateralUsd).toBe(Number(totalCollateralRaw) / 1e8);
    const missing = await service.call<ProblemBody>('GET', `/v1/positions/pos_${'0'.repeat(22)}`, me);
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
  });

  it('GET /v1/positions?include=assets: each position equals its own response', async () => {
    const { address } = borrowerAt(1.4);
    const list = await service.call<PositionList>(
      'GET',
      `/v1/positions?wallet=${address}&include=assets`,
      me,
    );
    const [listed] = list.body.positions;
    expect(listed?.collateralAssets).toMatchObject([{ asset: 'WETH', usedAsCollateral: true }]);
    expect(listed?.debtAssets).toHaveLength(1);
    expect(Date.parse(listed?.updatedAt ?? '')).not.toBeNaN();
    const bare = await listOf(address);
    expect(bare.body.positions[0]).not.toHaveProperty('collateralAssets');
    const wrong = await service.call<ProblemBody>('GET', '/v1/positions?include=everything', me);
    expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([400, 'include']);
  });

  it('publishes a changed principal after an act of the wallet, then a closed position, which can still be read, without legs', async () => {
    const holder = chain.wallets.find(({ plan }) => plan.label === 'only collateral') as SeededWallet;
    const { address, amounts } = holder;
    const supplied = amounts.supplies[0]?.amount ?? 0n;
    await chain.withdraw(address, 'WETH', supplied / 2n);
    const less = await service.waitForPosition(address, ({ reason }) => reason === 'principal');
    expect(less).toMatchObject({ material: true, band: 'none', healthFactorRaw: null });
    await sameAsContract(less);
    await chain.withdraw(address, 'WETH', maxUint256);
    const closed = await service.waitForPosition(address, ({ reason }) => reason === 'closed');
    expect(closed).toMatchObject({
      closed: true,
      legs: [],
      totalCollateralRaw: '0',
      sequence: less.sequence + 1,
    });

    const { status, body } = await service.call<PositionDetail>('GET', `/v1/positions/${idOf(holder)}`, me);
    expect(status).toBe(200);
    expect(body).toMatchObject({ collateralAssets: [], debtAssets: [], healthFactor: null, totalDebtUsd: 0 });
    expect((await listOf(address)).body.positions).toEqual([]);
  });

  it('a position that only a GET has read keeps its id', async () => {
    const stranger = await startedService();
    const { address } = borrowerAt(1.4);
    const { body } = await stranger.call<PositionList>('GET', `/v1/positions?wallet=${address}`, me);
    const id = body.positions[0]?.id ?? '';
    expect(id).toBe(idOf(borrowerAt(1.4)));
    expect((await stranger.call('GET', `/v1/positions/${id}`, me)).status).toBe(200);
    await stranger.close();
  }, 60_000);

  it('an unwatched wallet is no longer followed, and can still be read', async () => {
    const { address } = borrowerAt(1.4);
    await service.call('DELETE', `/v1/wallets/${address}`, me);
    await waitFor(() => service.events.wallets.at(-1)?.value === null, { message: 'a tombstone' });
    await waitFor(async () => (await metric('positions_tracked_wallets')) === chain.wallets.length - 1, {
      message: 'one less is tracked',
    });
    const before = service.events.positions.length;
    await setEth(SEEDED_ETH_USD * 0.9);
    await waitFor(() => service.events.positions.length > before, { message: 'events of the others' });
    const { body } = await listOf(address);
    const figures = await chain.accountData(address, body.asOfBlock['1'] ?? 0);
    expect(body.positions[0]?.healthFactorRaw).toBe(figures.healthFactorRaw?.toString());
    const wallets = service.events.positions.slice(before).map(({ value }) => value?.wallet);
    expect(wallets).not.toContain(address.toLowerCase());
  });

  it('publishes every fall and recovery of blocks that follow one another at once', async () => {
    const { address } = borrowerAt(1.17);
    await watch(address);
    await service.waitForPosition(address, () => true);
    const factors = [1, 0.8, 1, 0.81, 1, 0.82, 1];
    const blocks: number[] = [];
    for (const factor of factors) blocks.push(Number((await setEth(SEEDED_ETH_USD * factor)).blockNumber));
    const levels = (): [number, unknown][] =>
      service.events.positions.flatMap(({ value }) =>
        value && value.wallet === address.toLowerCase() && value.block >= blocks[0]!
          ? [[value.block, value.level]]
          : [],
      );
    await waitFor(() => levels().some(([block]) => block === blocks.at(-1)), { message: 'the last block' });
    expect(
      levels()
        .filter(([, level]) => level === 'liquidatable')
        .map(([block]) => block),
    ).toEqual(blocks.filter((_, at) => factors[at]! < 1));
  });

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${service.app.get(OperationsServer).origin}/metrics`)).text();
    return Number(new RegExp(`^${name}(?:{[^}]*})? (.*)$`, 'm').exec(text)?.[1]);
  }
});
