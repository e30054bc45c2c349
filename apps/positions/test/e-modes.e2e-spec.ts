import type { PositionDetail, PositionList } from '@plimsoll/contracts';
import { encodeFunctionData, numberToHex, parseAbi } from 'viem';
import { waitFor } from '@plimsoll/testing';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(60_000);

const abi = parseAbi(['function setUserEMode(uint8 categoryId)']);

describe('eModes of a position', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  const me = identityOf('enterprise');

  beforeAll(async () => {
    chain = await startChain();
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    await service.start();
    await waitFor(async () => service.isReady(), {
      message: 'the service is ready',
    });
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 60_000);

  async function setEMode(wallet: string, id: number): Promise<void> {
    await chain.rpc('anvil_impersonateAccount', [wallet]);
    const data = encodeFunctionData({ abi, functionName: 'setUserEMode', args: [id] });
    const transaction = { from: wallet, to: chain.addresses.pool, data, gas: numberToHex(900_000) };
    const receipt = await chain.rpc<{ status: string }>('eth_sendTransactionSync', [transaction]);
    expect(receipt.status).toBe('0x1');
  }

  it('are the e-modes that it may enter, each with its health factor', async () => {
    const { address, plan } = chain.wallets.find(
      (wallet) => wallet.plan.eMode && (wallet.plan.healthFactor ?? 0) > 1.3,
    )!;
    expect(plan.eMode).toBe(true);
    await service.call('POST', '/v1/wallets', me, { address });
    const detail = async (): Promise<PositionDetail | undefined> => {
      const list = await service.call<PositionList>('GET', `/v1/positions?wallet=${address}`, me);
      const [position] = list.body.positions;
      return position && (await service.call<PositionDetail>('GET', `/v1/positions/${position.id}`, me)).body;
    };
    await waitFor(async () => (await detail())?.healthFactor, { message: 'the position is read' });
    expect(await detail()).not.toHaveProperty('eModes');

    await setEMode(address, 0);
    const outside = await waitFor(
      async () => {
        const now = await detail();
        return now?.eModes ? now : undefined;
      },
      { message: 'the wallet may enter the e-mode that it left' },
    );
    const [eMode] = outside.eModes!;
    expect(eMode!.healthFactor).toBeGreaterThan(outside.healthFactor!);
    expect(outside.collateralAssets.map((leg) => leg.address)).toEqual(
      eMode!.collateral.map((leg) => leg.address),
    );

    await setEMode(address, eMode!.id);
    const inside = await waitFor(
      async () => {
        const now = await detail();
        return now && !now.eModes ? now : undefined;
      },
      { message: 'the wallet has entered the e-mode' },
    );
    expect(Math.abs(inside.healthFactor! - eMode!.healthFactor)).toBeLessThan(1e-6);
    for (const { address: token, liquidationThresholdBps } of inside.collateralAssets)
      expect(liquidationThresholdBps).toBe(
        eMode!.collateral.find((leg) => leg.address === token)?.liquidationThresholdBps,
      );
  });
});
