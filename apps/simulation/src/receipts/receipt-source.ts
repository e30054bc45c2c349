import { Injectable } from '@nestjs/common';
import { Problem, type SimulationReceiptBody } from '@plimsoll/contracts';
import type { ForecastContent } from '@plimsoll/receipts';
import { type Caller, InnerClient, ServiceCalls } from '@plimsoll/service-kit';
import { SimulationConfig } from '../config';
import { type SimulationRun, simulationContent } from './simulation-content';

const SIGN_DEADLINE_MS = 3_000;

/** Receipts of simulations and of recorded forecasts. The positions service has the keys and stores them. */
@Injectable()
export class ReceiptSource {
  private readonly upstream: InnerClient;

  constructor(
    { UPSTREAM_POSITIONS }: SimulationConfig,
    private readonly calls: ServiceCalls,
  ) {
    this.upstream = new InnerClient(calls, 'positions', UPSTREAM_POSITIONS, 'The receipt', SIGN_DEADLINE_MS);
  }

  /** @throws upstream_unavailable, also where the operator has set up no keys */
  async sign(caller: Caller, run: SimulationRun, left: AbortSignal): Promise<SimulationReceiptBody> {
    const parts = simulationContent(run);
    const receipt = await this.upstream.post<SimulationReceiptBody>('/inner/receipts', parts, caller, left);
    if (receipt === null) throw new Problem('upstream_failed', 'The receipt was not made. Request it again.');
    return receipt;
  }

  /**
   * Returns the hash of the receipt of recorded forecasts. The same ones again have the same hash.
   * @throws upstream_unavailable, also where the operator has set up no keys
   */
  async signForecasts(content: ForecastContent, left: AbortSignal): Promise<string> {
    const caller = this.calls.ownCaller(Date.now());
    const signed = await this.upstream.post<{ hash: string }>(
      '/inner/receipts/forecasts',
      content,
      caller,
      left,
    );
    if (signed === null) throw new Problem('upstream_failed', 'The receipt of the forecasts was not made.');
    return signed.hash;
  }

  /** Whether the account may read a receipt: its own, or one of a wallet that it watches. @throws upstream_unavailable */
  async mayRead(caller: Caller, hash: string, left: AbortSignal): Promise<boolean> {
    return (await this.upstream.get(`/v1/receipts/${hash}`, caller, left)) !== null;
  }
}
