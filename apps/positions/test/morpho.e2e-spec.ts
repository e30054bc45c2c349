import { readFile, writeFile } from 'node:fs/promises';
import type { PositionDetail, PositionList } from '@plimsoll/contracts';
import { SEED_PLANS } from '@plimsoll/devnet';
import { ChainReadError, type MarketRow } from '@plimsoll/evm';
import { FamilyReader } from '@plimsoll/protocols';
import { waitFor } from '@plimsoll/testing';
import type { Address } from 'viem';
import { type ChainFixture, startChain } from './chain-fixture';
import { type MorphoFixture, addMorpho, decimalsOf } from './morpho-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(30_000);

/** The next read of a market of the family fails. There is no other block after the last transaction. */
function failOnce(family: string): void {
  const read = FamilyReader.prototype.readMarket;
  const spy = jest.spyOn(FamilyReader.prototype, 'readMarket');
  spy.mockImplementation(function (this: { row: MarketRow }, block) {
    if (this.row.family !== family) return read.call(this as never, block);
    spy.mockRestore();
    return Promise.reject(new ChainReadError('rpc_unavailable', this.row.chainId, 'once'));
  });
}

describe('a wallet with positions in two protocols', () => {
  let chain: ChainFixture;
  let morpho: MorphoFixture;
  let service: ServiceFixture;
  let wallet: Address;
  const me = identityOf('pro');
  const list = async (): Promise<PositionList> =>
    (await service.call<PositionList>('GET', `/v1/positions?wallet=${wallet}`, me)).body;
  const morphoOf = async () => (await list()).positions.filter(({ protocol }) => protocol === 'morpho-blue');

  beforeAll(async () => {
    chain = await startChain(1, SEED_PLANS.slice(0, 1));
    morpho = await addMorpho(chain);
    const overlay = JSON.parse(await readFile(chain.overlayPath, 'utf8'));
    const nowhere = `0x${'13'.repeat(20)}`;
    const comets = { usdc: nowhere, weth: nowhere };
    overlay.protocols.push({ id: 'compound-v3', chains: { 1: { comets } } });
    await writeFile(chain.overlayPath, JSON.stringify(overlay));
    wallet = chain.wallets[0]!.address;
    await morpho.supplyCollateral(wallet, morpho.markets[0]!, 4n * decimalsOf(chain, 'WETH'));
    await morpho.borrow(wallet, morpho.markets[0]!, 5_000n * decimalsOf(chain, 'USDC'));
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    await service.start();
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 60_000);

  it('lists both, each with its own health factor', async () => {
    await waitFor(async () => (await list()).positions.length === 2, { message: 'both are read' });
    const { positions } = await list();
    expect(new Set(positions.map(({ protocol }) => protocol))).toEqual(new Set(['aave-v3', 'morpho-blue']));
    const [own] = await morphoOf();
    // 4 WETH at 2,500 and 86 % against 5,000 USDC and its interest.
    expect(own!.healthFactor).toBeCloseTo(1.72, 3);
    expect(own!.totalDebtUsd).toBeCloseTo(5_000, 0);
  });

  it('registry rows with wrong addresses are unreadable, listed once, and the rest of the chain is read', async () => {
    const { unreadable } = await list();
    expect(unreadable).toEqual([{ protocol: 'compound-v3', chainId: 1, reason: 'call_failed' }]);
  });

  it('a second market is a second position with its own id, published as discovered', async () => {
    await service.call('POST', '/v1/wallets', me, { address: wallet });
    await service.waitForPosition(wallet, ({ protocol }) => protocol === 'morpho-blue');
    await morpho.supplyCollateral(wallet, morpho.markets[1]!, decimalsOf(chain, 'WBTC'));
    const event = await service.waitForPosition(
      wallet,
      ({ subId, reason }) => subId === morpho.markets[1]!.id && reason === 'discovered',
    );
    expect(event).toMatchObject({ healthFactor: null, sequence: 1 });
    expect((await morphoOf()).map(({ id }) => id)).toContain(event.id);
    const { body } = await service.call<PositionDetail>('GET', `/v1/positions/${event.id}`, me);
    expect(body.collateralAssets).toMatchObject([{ asset: 'WBTC', amount: 1, usdValue: expect.any(Number) }]);
  });

  it('a full withdrawal closes the position, and the other one stays, though the read of its block fails once', async () => {
    failOnce('morpho-blue');
    await morpho.withdrawCollateral(wallet, morpho.markets[1]!, decimalsOf(chain, 'WBTC'));
    await service.waitForPosition(wallet, ({ subId, closed }) => subId === morpho.markets[1]!.id && closed);
    expect(await morphoOf()).toHaveLength(1);
  });
});
