import { deployDevnet, type DevnetAddresses } from '@plimsoll/devnet';
import { type OwnPart, createTestFolder, startOwnEvm, waitFor } from '@plimsoll/testing';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPublicClient, http, parseAbiItem } from 'viem';
import { runReplay } from '../commands/replay-command';
import { postOrder } from './control-client';
import { type ControlServer, startControlServer } from './control-server';
import { LocalMarket, type MarketState, type ReplayStep } from './market';

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

describe('a replay over the control port', () => {
  let control: ControlServer;
  let folder: Awaited<ReturnType<typeof createTestFolder>>;
  const printed: string[] = [];

  beforeAll(async () => {
    [control, folder] = await Promise.all([startControlServer(market), createTestFolder()]);
    await market.executeForWhales({ action: 'whale', whale: 'pause', json: true });
    jest.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    control?.close();
    await folder?.remove();
  });
  beforeEach(() => {
    printed.length = 0;
  });

  const state = async (): Promise<MarketState> => {
    const response = await fetch(`${control.url}/market`, {
      headers: { authorization: `Bearer ${control.token}` },
    });
    return (await response.json()) as MarketState;
  };
  const price = async (symbol: string): Promise<number> => (await state()).prices[0]?.usd[symbol] ?? 0;

  async function replay(lines: string[], options: { speed?: number; isRelative?: boolean } = {}) {
    const file = path.join(folder.path, 'crash.csv');
    await writeFile(file, lines.join('\n'));
    const { speed = 1, isRelative = false } = options;
    return runReplay(control, { action: 'replay', file, speed, isRelative, json: true });
  }
  const steps = (): ReplayStep[] => printed.slice(0, -1).map((line) => JSON.parse(line) as ReplayStep);

  it('moves all prices of a line in one block, at their times, and prints each move as JSON', async () => {
    const begin = Date.now();
    await replay(['seconds,ETH,BTC', '0,2500,60000', '4,2000,', '8,1500,40000'], { speed: 8 });
    expect(Date.now() - begin).toBeGreaterThanOrEqual(1_000);
    expect(steps()).toMatchObject([
      {
        point: 1,
        points: 3,
        seconds: 0,
        ofSeconds: 8,
        changes: [{ symbol: 'WETH', usd: 2500 }, { usd: 60_000 }],
      },
      { point: 2, seconds: 4, changes: [{ chainId: CHAIN_ID, symbol: 'WETH', usd: 2000 }] },
      { point: 3, seconds: 8, changes: [{ usd: 1500 }, { symbol: 'WBTC', usd: 40_000 }] },
    ]);
    const [eth, btc] = steps()[2]?.changes ?? [];
    expect(eth?.blockNumber).toBe(btc?.blockNumber);
    expect(printed.at(-1)).toBe('{"isWhole":true}');
    expect([await price('WETH'), await price('WBTC')]).toEqual([1500, 40_000]);
  });

  it('begins at the present prices with --relative', async () => {
    await replay(['seconds,ETH', '0,100', '1,90'], { speed: 4, isRelative: true });
    expect(steps().map(({ changes }) => changes[0]?.usd)).toEqual([1500, 1350]);
  });

  it('names the line of a bad file, and moves nothing', async () => {
    await expect(replay(['seconds,ETH', '0,2500', '1,-3'])).rejects.toThrow(
      /crash\.csv, line 3: -3 is no price/,
    );
    expect(await price('WETH')).toBe(1350);
  });

  it('refuses other moves until it is stopped, and lets the market go on then', async () => {
    const running = replay(['seconds,ETH', '0,1400', '3600,1000']);
    await waitFor(async () => (await state()).replay?.point === 1, { message: 'the first move' });
    const shock = { action: 'shock', symbol: 'ETH', percent: -10 } as const;
    const refused = await postOrder(control, shock, AbortSignal.timeout(5_000));
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: 'a replay runs. Wait for its end, or run `npm run market -- stop`.' },
    ]);
    await postOrder(control, { action: 'stop' }, AbortSignal.timeout(5_000));
    await running;
    expect(printed.at(-1)).toBe('{"isWhole":false}');
    expect([(await state()).replay, await price('WETH')]).toEqual([null, 1400]);
  });

  it('moves a price by a percentage within some seconds', async () => {
    const order = { action: 'shock', symbol: 'ETH', percent: -36, seconds: 2 } as const;
    const begun = await postOrder(control, order, AbortSignal.timeout(5_000));
    expect(await begun.json()).toEqual({ changes: [] });
    expect((await state()).replay).toMatchObject({ points: 3, ofSeconds: 2 });
    await waitFor(async () => (await state()).replay === null, { message: 'the end of the shock' });
    expect([(await state()).failure, await price('WETH')]).toEqual([null, 896]);
  });

  it('takes no order without its token', async () => {
    const stranger = { ...control, token: 'x'.repeat(control.token.length) };
    expect((await postOrder(stranger, { action: 'stop' }, AbortSignal.timeout(5_000))).status).toBe(403);
    expect((await fetch(`${control.url}/market`)).status).toBe(403);
  });
});
