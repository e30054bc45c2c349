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
import { healthFactors } from '../alarm/observe';

const FEED = parseAbi(['function setAnswer(int256 answer)']);
const VOLATILE = ['WETH', 'WBTC', 'LINK'] as const;
const STABLE = ['USDC', 'DAI'] as const;
const RANGE = { volatile: { low: 0.72, high: 1.15 }, stable: { low: 0.97, high: 1.02 } };
const WAD = 10n ** 18n;
const HOUR_SECONDS = 3_600;
const DRIFT_HOURS = 8;
const MOST_OF_BURST = 6;

/** A price that a transaction set, and when its receipt arrived (performance.now()). */
export interface Receipt {
  block: number;
  atMs: number;
}

/** The prices of a scene, as factors of the seeded ones. They walk at random within a range. */
export class Prices {
  readonly receipts: Receipt[] = [];
  private readonly factors = new Map<string, number>();

  constructor(
    private readonly platform: Platform,
    private readonly rpc: AnvilRpc,
    private readonly random: Random,
  ) {}

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

  /** Down and up again within one block. */
  async flash(): Promise<void> {
    const symbol = this.pick(VOLATILE);
    const before = this.factorOf(symbol);
    await this.rpc.request('evm_setAutomine', [false]);
    try {
      await this.send(symbol, before * 0.8);
      await this.send(symbol, before);
      await this.rpc.request('evm_mine', []);
    } finally {
      await this.rpc.request('evm_setAutomine', [true]);
    }
  }

  /** Brings the nearest position of WETH against USDC a hair above 1, and lets interest do the rest. */
  async drift(): Promise<void> {
    const known = await healthFactors(this.rpc, this.platform);
    const onEther = this.platform.wallets.filter(({ plan: { supplies, borrows } }) => {
      return supplies.length === 1 && supplies[0]?.symbol === 'WETH' && borrows[0]?.symbol === 'USDC';
    });
    const above = onEther.flatMap(({ address }) => known.get(checksumAddress(address)) ?? []);
    const nearest = above.reduce((low, each) => (each > WAD && each < low ? each : low), 2n * WAD);
    const factor = (this.factorOf('WETH') * 1.000002) / (Number(nearest) / 1e18);
    if (factor > RANGE.volatile.low) await this.set('WETH', factor);
    for (let hour = 0; hour < DRIFT_HOURS; hour += 1) {
      await this.rpc.request('evm_increaseTime', [HOUR_SECONDS]);
      await this.rpc.request('evm_mine', []);
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
