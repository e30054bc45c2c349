import { Logger } from '@nestjs/common';
import { signalWithin, type Clock } from '@plimsoll/service-kit';
import { sourceFailures, sourceUp } from '../metrics';
import type { SourceView } from './combine-quotes';
import type { PriceSource, Quote, SourceReading } from '../sources/price-source';
import { SourceBackoff } from '../sources/source-backoff';

/** A source that missed this many polls is down. */
const POLLS_TO_DOWN = 3;

/** Polls one source and keeps its last quotes. */
export class SourcePoller {
  private readonly logger: Logger;
  private readonly backoff: SourceBackoff;
  private readonly quotes = new Map<string, Quote & { receivedAtMs: number }>();
  private isSequencerDown = false;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private aborted = new AbortController();

  /** @param onReading called after every poll, also a failed one */
  constructor(
    readonly source: PriceSource,
    private readonly clock: Clock,
    private readonly deadlineMs: number,
    private readonly onReading: () => void,
  ) {
    this.logger = new Logger(`source-${source.name}${source.chainId === null ? '' : `-${source.chainId}`}`);
    this.backoff = new SourceBackoff(clock.random);
  }

  start(): void {
    this.aborted = new AbortController();
    this.poll();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.aborted.abort();
    await this.working;
  }

  /** Returns the source's last quote of the asset, or undefined when it lacks the asset. */
  viewOf(asset: string, nowMs: number): SourceView | undefined {
    const heartbeatMs = this.source.heartbeatMs(asset);
    if (heartbeatMs === undefined) return undefined;
    const quote = this.quotes.get(asset) ?? null;
    const graceMs = POLLS_TO_DOWN * this.source.pollMs + this.deadlineMs;
    return {
      source: this.source.name,
      chainId: this.source.chainId,
      heartbeatMs,
      isDown: quote === null || nowMs - quote.receivedAtMs > graceMs,
      isSequencerDown: this.isSequencerDown,
      quote,
    };
  }

  private poll(): void {
    this.working = this.pollDue().finally(() => {
      if (this.aborted.signal.aborted) return;
      const jitterMs = this.source.pollMs * 0.1 * this.clock.random();
      const waitMs = Math.max(this.source.pollMs + jitterMs, this.backoff.waitMs(this.clock.now()));
      this.timer = setTimeout(() => this.poll(), waitMs);
    });
  }

  /** A node that hangs is not awaited, because its client has its own deadline. */
  private readWithin(signal: AbortSignal): Promise<SourceReading> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      this.source.read(signal).then(resolve, reject);
    });
  }

  private async pollDue(): Promise<void> {
    const label = { source: this.source.name, chain: this.source.chainId ?? '' };
    const signal = signalWithin(this.deadlineMs, this.aborted.signal);
    try {
      const { quotes, isSequencerDown } = await this.readWithin(signal);
      const receivedAtMs = this.clock.now();
      for (const quote of quotes) this.quotes.set(quote.asset, { ...quote, receivedAtMs });
      if (this.backoff.isPausing) this.logger.log({ msg: 'the source responds again' });
      this.isSequencerDown = isSequencerDown;
      this.backoff.succeeded();
      sourceUp.set(label, 1);
    } catch (error) {
      if (this.aborted.signal.aborted) return;
      const wasPausing = this.backoff.isPausing;
      this.backoff.failed(this.clock.now());
      sourceFailures.inc(label);
      sourceUp.set(label, 0);
      if (!wasPausing) this.logger.warn({ msg: 'the source could not be read; tried again', err: error });
    }
    this.onReading();
  }
}
