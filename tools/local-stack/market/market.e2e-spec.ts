import { deployDevnet, type DevnetAddresses } from '@plimsoll/devnet';
import { type OwnPart, startOwnEvm, waitFor } from '@plimsoll/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { createPublicClient, http, parseAbiItem } from 'viem';
import { LocalMarket } from './market';

jest.setTimeout(60_000);

const CHAIN_ID = 1;
const ACT_MS = 50;

let node: OwnPart;
let addresses: DevnetAddresses;
let market: LocalMarket;

beforeAll(async () => {
  node = await startOwnEvm({ chainId: CHAIN_ID });
  addresses = await deployDevnet({ rpcUrl: node.url, chainId: CHAIN_ID });
  market = new LocalMarket(
    [{ chainId: CHAIN_ID, rpcUrl: node.url, addresses }],
    { seed: 1, whaleActMs: ACT_MS },
    (line) => {
      throw new Error(line);
    },
  );
  market.start();
});
afterAll(async () => {
  await market?.stop();
  await node?.dispose();
});

/** Number of supplies, which are always among the first acts. */
async function supplies(): Promise<number> {
  const viem = createPublicClient({ transport: http(node.url), cacheTime: 0 });
  const event = parseAbiItem(
    'event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
  );
  return (await viem.getLogs({ address: addresses.pool, event, fromBlock: 0n })).length;
}

const moreThan = (count: number): Promise<unknown> =>
  waitFor(async () => (await supplies()) > count, {
    timeoutMs: 20_000,
    message: `more than ${count} supplies`,
  });

/** Fails when a whale acts within a time in which ten acts would be due. */
async function expectStillness(): Promise<void> {
  // Waits for the current act to end.
  await market.executeForWhales({ action: 'whale', whale: 'list', json: true });
  const before = await supplies();
  await delay(10 * ACT_MS);
  expect(await supplies()).toBe(before);
}

describe('LocalMarket', () => {
  it('lets whales act while the market runs', () => moreThan(3));

  it('pauses and resumes them with the market', async () => {
    await market.execute({ action: 'pause' });
    await expectStillness();
    const held = await supplies();
    await market.execute({ action: 'resume' });
    await moreThan(held);
  });

  it('pauses only the whales, whatever the market does, until they are resumed', async () => {
    expect(await market.executeForWhales({ action: 'whale', whale: 'pause', json: true })).toEqual({
      isPaused: true,
    });
    await market.execute({ action: 'resume' });
    await expectStillness();
    const held = await supplies();
    expect(await market.executeForWhales({ action: 'whale', whale: 'resume', json: true })).toEqual({
      isPaused: false,
    });
    await moreThan(held);
  });

  it('lets one whale perform a command while all are paused', async () => {
    await market.executeForWhales({ action: 'whale', whale: 'pause', json: true });
    const order = { name: 'narwhal', kind: 'supply', amount: '7.25', symbol: 'ETH' } as const;
    const response = await market.executeForWhales({ action: 'whale', whale: 'act', json: true, ...order });
    expect(response).toMatchObject({
      acts: [{ chainId: CHAIN_ID, name: 'narwhal', kind: 'supply', symbol: 'WETH', amount: '7.25' }],
    });
    await expect(
      market.executeForWhales({ action: 'whale', whale: 'act', json: true, ...order, name: 'moby' }),
    ).rejects.toThrow('unknown whale moby');
  });
});
