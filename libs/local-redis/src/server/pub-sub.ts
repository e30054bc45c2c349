import { matcherOf } from '../commands/glob';
import { Push, type Reply } from '../resp/reply';

/** A client that receives messages. */
export interface Subscriber {
  /** Stores a message from a request of another client until `sendDelivered`. */
  deliver(message: Push): void;
  sendDelivered(): void;
}

/** The subscribers of each channel and of each pattern of channels. */
export class PubSub {
  private readonly channels = new Map<string, Set<Subscriber>>();
  private readonly patterns = new Map<
    string,
    { matches: (channel: string) => boolean; subscribers: Set<Subscriber> }
  >();
  private readonly waiting = new Set<Subscriber>();

  subscribe(subscriber: Subscriber, channel: string): void {
    const subscribers = this.channels.get(channel) ?? new Set();
    this.channels.set(channel, subscribers.add(subscriber));
  }

  unsubscribe(subscriber: Subscriber, channel: string): void {
    const subscribers = this.channels.get(channel);
    subscribers?.delete(subscriber);
    if (subscribers?.size === 0) this.channels.delete(channel);
  }

  subscribePattern(subscriber: Subscriber, pattern: string): void {
    const found = this.patterns.get(pattern) ?? { matches: matcherOf(pattern), subscribers: new Set() };
    found.subscribers.add(subscriber);
    this.patterns.set(pattern, found);
  }

  unsubscribePattern(subscriber: Subscriber, pattern: string): void {
    const found = this.patterns.get(pattern);
    found?.subscribers.delete(subscriber);
    if (found?.subscribers.size === 0) this.patterns.delete(pattern);
  }

  /** Delivers a message to all subscribers and returns their number. `sendDelivered` sends it. */
  publish(channel: string, message: string): number {
    let receivers = 0;
    for (const subscriber of this.channels.get(channel) ?? []) {
      this.deliver(subscriber, new Push(['message', channel, message]));
      receivers += 1;
    }
    for (const [pattern, { matches, subscribers }] of this.patterns) {
      if (!matches(channel)) continue;
      for (const subscriber of subscribers) {
        this.deliver(subscriber, new Push(['pmessage', pattern, channel, message]));
        receivers += 1;
      }
    }
    return receivers;
  }

  /** Sends the stored messages, after the earlier changes are in the file. */
  sendDelivered(): void {
    for (const subscriber of this.waiting) subscriber.sendDelivered();
    this.waiting.clear();
  }

  private deliver(subscriber: Subscriber, message: Push): void {
    subscriber.deliver(message);
    this.waiting.add(subscriber);
  }

  /** PUBSUB CHANNELS, NUMSUB and NUMPAT. Null: no such subcommand. */
  report(subcommand: string, args: readonly string[]): Reply | null {
    if (subcommand === 'CHANNELS') {
      const names = [...this.channels.keys()];
      return args[0] === undefined ? names : names.filter(matcherOf(args[0]));
    }
    if (subcommand === 'NUMPAT') return this.patterns.size;
    if (subcommand !== 'NUMSUB') return null;
    return args.flatMap((channel): Reply[] => [channel, this.channels.get(channel)?.size ?? 0]);
  }
}
