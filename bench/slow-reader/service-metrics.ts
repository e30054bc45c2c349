/** The service's own metrics of its clients. */
export class ServiceMetrics {
  constructor(private readonly port: number) {}

  /** Bytes that wait for clients of the positions stream. */
  unsentBytes(): Promise<number> {
    return this.value('streams_unsent_bytes{stream="positions"}');
  }

  /** Connections that it closed with a code. */
  closed(code: string): Promise<number> {
    return this.value(`streams_closes_total{code="${code}"}`);
  }

  private async value(series: string): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.port}/metrics`, {
      signal: AbortSignal.timeout(10_000),
    });
    const line = (await response.text()).split('\n').find((each) => each.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1) ?? 0);
  }
}
