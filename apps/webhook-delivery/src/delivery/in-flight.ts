/** Counts the attempts under way, over all and for each endpoint, so that neither passes its bound. */
export class InFlight {
  readonly #byWebhook = new Map<string, number>();
  #total = 0;

  constructor(
    private readonly limit: number,
    readonly limitPerWebhook: number,
  ) {}

  get total(): number {
    return this.#total;
  }

  /** How many more may start. */
  get free(): number {
    return this.limit - this.#total;
  }

  /** Endpoints with attempts under way, and how many: two lists of one length. */
  get busy(): { webhookIds: string[]; counts: number[] } {
    return { webhookIds: [...this.#byWebhook.keys()], counts: [...this.#byWebhook.values()] };
  }

  add(webhookId: string): void {
    this.#total += 1;
    this.#byWebhook.set(webhookId, (this.#byWebhook.get(webhookId) ?? 0) + 1);
  }

  remove(webhookId: string): void {
    this.#total -= 1;
    const left = (this.#byWebhook.get(webhookId) ?? 0) - 1;
    if (left > 0) this.#byWebhook.set(webhookId, left);
    else this.#byWebhook.delete(webhookId);
  }
}
