import {
  type AnvilRpc,
  type DevnetAddresses,
  type Random,
  assetListing,
  devnetAsset,
  setPrice,
  toPriceRaw,
} from '@plimsoll/devnet';
import { checksumAddress } from '@plimsoll/contracts';
import { encodeFunctionData, numberToHex, parseAbi } from 'viem';
import type { Platform } from '../../test/platform/start-platform';
import { healthFactors, pause, walletsBelowOne } from '../alarm/observe';

const FEED = parseAbi(['function setAnswer(int256 answer)']);
const VOLATILE = ['WETH', 'WBTC', 'LINK'] as const;
const STABLE = ['USDC', 'DAI'] as const;
const RANGE = { volatile: { low: 0.72, high: 1.15 }, stable: { low: 0.97, high: 1.02 } };
const HOUR_SECONDS = 3_600;
const DRIFT_HOURS = 12;
/** The health factor from which interest takes a position below 1 within these hours. */
const DRIFT_FROM = 1 + 1.2e-8;
const HOUR_LASTS_MS = 250;
const FLASH_FALL = 0.8;
const MOST_OF_BURST = 6;

/** A block of a scene, and when the response that it is mined arrived (performance.now()). */
export interface Receipt {
  block: number;
  atMs: number;
}

/** The prices of a scene, as factors of the seeded ones. They walk at random within a range. */
export class Prices {
  readonly receipts: Receipt[] = [];
  /** Positions that were below 1 within a block, and neither before nor after it. */
  dips = 0;
  private random: Random = Math.random;
  private readonly factors = new Map<string, number>();

  constructor(
    private readonly platform: Platform,
    private readonly rpc: AnvilRpc,
  ) {}

  /** Begins another series of steps, from the present prices. */
  begin(random: Random): void {
    this.random = random;
    this.dips = 0;
  }

  /** Moves one random asset by a random step. */
  async shock(): Promise<void> {
    const symbol = this.pick([...VOLATILE, ...VOLATILE, ...STABLE]);
    await this.set(symbol, this.next(symbol, this.random() - 0.5));
  }

  /** Several shocks, each in its own block, without a wait in between. */
  async burst(): Promise<void> {
    const count = 2 + Math.floor(this.random() * (MOST_OF_BURST - 1));
    for (let at = 0; at < count; at += 1) await this.shock();
  }

  /** Down in one block and up again in the next one. */
  async bounce(): Promise<void> {
    const symbol = this.pick(VOLATILE);
    const before = this.factorOf(symbol);
    await this.set(symbol, this.next(symbol, -0.5));
    await this.set(symbol, before);
  }

  /** Far down and most of the way up again within one block, whose end is what counts. */
  async flash(): Promise<void> {
    const symbol = this.pick(VOLATILE);
    const before = this.factorOf(symbol);
    const after = this.next(symbol, -0.3);
    const belowBefore = await walletsBelowOne(this.rpc, this.platform);
    await this.rpc.request('evm_setAutomine', [false]);
    let within: Set<string>;
    try {
      await this.send(symbol, before * FLASH_FALL);
      within = await walletsBelowOne(this.rpc, this.platform, 'pending');
      await this.send(symbol, after);
      await this.mine();
    } finally {
      await this.rpc.request('evm_setAutomine', [true]);
    }
    this.factors.set(symbol, after);
    const belowAfter = await walletsBelowOne(this.rpc, this.platform);
    this.dips += [...within].filter((wallet) => !belowBefore.has(wallet) && !belowAfter.has(wallet)).length;
  }

  /**
   * Brings a random position of WETH against USDC a hair above 1, from either side, and lets interest do the
   * rest.
   */
  async drift(): Promise<void> {
    const known = await healthFactors(this.rpc, this.platform);
    const onEther = this.platform.wallets.filter(({ plan: { supplies, borrows } }) => {
      return supplies.length === 1 && supplies[0]?.symbol === 'WETH' && borrows[0]?.symbol === 'USDC';
    });
    const { address } = this.pick(onEther);
    const current = Number(known.get(checksumAddress(address))) / 1e18;
    await this.set('WETH', (this.factorOf('WETH') * DRIFT_FROM) / current);
    for (let hour = 0; hour < DRIFT_HOURS; hour += 1) {
      await pause(HOUR_LASTS_MS);
      await this.rpc.request('evm_increaseTime', [HOUR_SECONDS]);
      await this.mine();
    }
  }

  private pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)]!;
  }

  private factorOf(symbol: string): number {
    return this.factors.get(symbol) ?? 1;
  }

  private next(symbol: string, direction: number): number {
    const isStable = (STABLE as readonly string[]).includes(symbol);
    const { low, high } = isStable ? RANGE.stable : RANGE.volatile;
    const step = Math.exp(direction * (isStable ? 0.06 : 0.5) * this.random());
    return Math.min(high, Math.max(low, this.factorOf(symbol) * step));
  }

  private usd(symbol: string, factor: number): number {
    return (Number(assetListing(symbol).priceUsd) / 1e8) * factor;
  }

  private async set(symbol: string, factor: number): Promise<void> {
    const { rpcUrl, devnet } = this.platform;
    const { blockNumber } = await setPrice(rpcUrl, devnet, symbol, this.usd(symbol, factor));
    this.receipts.push({ block: Number(blockNumber), atMs: performance.now() });
    this.factors.set(symbol, factor);
  }

  private async mine(): Promise<void> {
    await this.rpc.request('evm_mine', []);
    const atMs = performance.now();
    this.receipts.push({ block: Number(await this.rpc.request('eth_blockNumber', [])), atMs });
  }

  /** Sends a price and waits for no block. */
  private async send(symbol: string, factor: number): Promise<void> {
    const { devnet } = this.platform;
    const data = encodeFunctionData({
      abi: FEED,
      functionName: 'setAnswer',
      args: [toPriceRaw(this.usd(symbol, factor))],
    });
    await this.rpc.request('eth_sendTransaction', [
      { from: devnet.operator, to: feedOf(devnet, symbol), data, gas: numberToHex(120_000) },
    ]);
  }
}

const feedOf = (devnet: DevnetAddresses, symbol: string) => devnetAsset(devnet, symbol).aggregator;
