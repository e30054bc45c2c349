import type { RawPosition } from '@plimsoll/chain';
import { type ExecutionAnswer, type ExecutionStatusAnswer, positionId } from '@plimsoll/contracts';
import { type SeededWallet, devnetAsset } from '@plimsoll/devnet';
import { encodeSetPolicy, strategyMask } from '@plimsoll/executor';
import { type TestFolder, waitFor } from '@plimsoll/testing';
import {
  type Address,
  type Hex,
  createPublicClient,
  encodeFunctionData,
  http,
  maxUint256,
  parseAbi,
  parseEther,
  zeroAddress,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { authorisationText } from '../src/submission/authorisations';
import { ExecutionHarness } from './execution-harness';
import { KEEPER, keeperSettings } from './keeper';
import { type LocalMarket, startMarket } from './local-market';
import { positionsOn } from './read-positions';
import { sendBuilt } from './send-built';

const abi = parseAbi([
  'function setAuthorization(address authorized, bool isAuthorized)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function getAllMarkets() view returns (address[])',
  'function underlying() view returns (address)',
]);
let market: LocalMarket;
let folder: TestFolder;
let service: ExecutionHarness;

beforeAll(async () => {
  market = await startMarket(undefined, { others: true, keeper: KEEPER.address });
  const keeper = await keeperSettings();
  folder = keeper.folder;
  service = await ExecutionHarness.start(market, {
    ...keeper.settings,
    CONFIRMATIONS: '1:2',
    FOLLOW_POLL_MS: 50,
  });
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await market?.close();
  await folder?.remove();
});

/** What a wallet allows on the two protocols: the contract and the calls that give it the collateral. */
interface Allowed {
  market: Address;
  marketId: Hex;
  collateralMarket: Address;
  debtMarket: Address;
  executor: Address;
  allow: { to: Address; data: Hex };
}

const legOf = ({ legs }: RawPosition, side: 'collateral' | 'debt') =>
  legs.find((leg) => leg.side === side && (side === 'debt' || leg.usedAsCollateral))!;

async function onMorpho({ subId }: RawPosition): Promise<Allowed> {
  const [morpho, executor] = [market.morpho!, market.executor!.morphoBlue!];
  const data = encodeFunctionData({ abi, functionName: 'setAuthorization', args: [executor, true] });
  const none = { collateralMarket: zeroAddress, debtMarket: zeroAddress };
  return { market: morpho, marketId: subId as Hex, ...none, executor, allow: { to: morpho, data } };
}

async function onVenus(position: RawPosition): Promise<Allowed> {
  const [comptroller, executor] = [market.venus!, market.executor!.compoundV2!];
  const viem = createPublicClient({ transport: http(market.node.url) });
  const tokens = await viem.readContract({ address: comptroller, abi, functionName: 'getAllMarkets' });
  const underlyings = await Promise.all(
    tokens.map((address) => viem.readContract({ address, abi, functionName: 'underlying' })),
  );
  const marketOf = (token: Address): Address =>
    tokens[underlyings.findIndex((each) => each.toLowerCase() === token)]!;
  const collateralMarket = marketOf(legOf(position, 'collateral').address);
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [executor, maxUint256] });
  const debtMarket = marketOf(legOf(position, 'debt').address);
  const allow = { to: collateralMarket, data };
  return { market: comptroller, marketId: zeroHash, collateralMarket, debtMarket, executor, allow };
}

async function allow(position: RawPosition, wallet: SeededWallet, allowed: Allowed): Promise<void> {
  const { executor, allow: given, ...place } = allowed;
  const [collateral, debt] = [legOf(position, 'collateral'), legOf(position, 'debt')];
  const policy = encodeSetPolicy({
    ...place,
    collateral: collateral.address,
    debt: debt.address,
    swapPort: market.executor!.swapPort,
    collateralFeed: devnetAsset(market.addresses, collateral.symbol).aggregator,
    debtFeed: devnetAsset(market.addresses, debt.symbol).aggregator,
    maxPriceAge: 86_400,
    expiresAt: 4_000_000_000n,
    triggerHealthFactor: parseEther('5'),
    targetHealthFactor: parseEther('5'),
    minHealthFactorAfter: parseEther('1.01'),
    maxRepayPerRun: 2n ** 100n,
    maxRepayPerDay: 2n ** 100n,
    maxSlippageBps: 100,
    maxFeeBps: 20,
    strategies: strategyMask(['flash_loan_unwind']),
    oneShot: false,
    pinMarketRevision: false,
  });
  const transaction = (to: Address, data: Hex) => ({
    description: 'allow',
    from: wallet.address,
    to,
    data,
    value: '0',
    chainId: 1,
    gas: '1500000',
  });
  await sendBuilt(market, wallet.privateKey, [
    transaction(given.to, given.data),
    transaction(executor, policy),
  ]);
}

describe.each([
  ['morpho-blue', onMorpho],
  ['venus', onVenus],
])('flash_loan_unwind submitted on %s', (protocol, allowedOn) => {
  it('runs to its end, at the target and the prediction', async () => {
    const [position] = await positionsOn(market, protocol);
    const before = Number(position!.healthFactorRaw) / 1e18;
    const { chainId, market: name, wallet: address, subId } = position!;
    const wallet = market.wallets.find((each) => each.address.toLowerCase() === address)!;
    await allow(position!, wallet, await allowedOn(position!));
    const id = positionId(position!);
    const place = { id, protocol, chainId, market: name, wallet: address, ...(subId !== '' && { subId }) };
    service.upstream.places.set(id, place);
    const message = authorisationText(service.accountId, place);
    const target = Math.round(before * 1_300) / 1_000;
    const { status, body } = await service.call<ExecutionAnswer>('POST', '/v1/execution/deleverage', {
      positionId: id,
      targetHealthFactor: target,
      mode: 'submit',
      strategy: 'flash_loan_unwind',
      maxSlippageBps: 60,
      walletSignature: await privateKeyToAccount(wallet.privateKey).signMessage({ message }),
    });
    expect([status, body.detail]).toEqual([202, undefined]);
    const execution = await waitFor(
      async () => {
        await market.mine();
        const path = `/v1/execution/status?id=${body.execution.id}`;
        const answer = await service.call<ExecutionStatusAnswer>('GET', path);
        const found = answer.body.execution!;
        return !['pending', 'running'].includes(found.status) && found;
      },
      { intervalMs: 100, message: 'it comes to its end' },
    );
    expect(execution).toMatchObject({ status: 'completed', failure: null });
    const after = (await positionsOn(market, protocol)).find((each) => positionId(each) === id)!;
    const reached = Number(after.healthFactorRaw) / 1e18;
    expect(Math.abs(reached / target - 1)).toBeLessThan(1e-3);
    expect(Math.abs(execution.healthFactorAfter! / target - 1)).toBeLessThan(1e-3);
  }, 60_000);
});
