import { Injectable } from '@nestjs/common';
import { Problem, type SimulationReceiptBody } from '@plimsoll/contracts';
import { type Caller, InnerClient, ServiceCalls } from '@plimsoll/service-kit';
import { SimulationConfig } from '../config';
import { type SimulationRun, simulationContent } from './simulation-content';

const SIGN_DEADLINE_MS = 3_000;

/** Receipts of simulations. The positions service has the keys and stores them. */
@Injectable()
export class ReceiptSource {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_POSITIONS }: SimulationConfig, calls: ServiceCalls) {
    this.upstream = new InnerClient(calls, 'positions', UPSTREAM_POSITIONS, 'The receipt', SIGN_DEADLINE_MS);
  }

  /** @throws upstream_unavailable, also where the operator has set up no keys */
  async sign(caller: Caller, run: SimulationRun, left: AbortSignal): Promise<SimulationReceiptBody> {
    const parts = simulationContent(run);
    const receipt = await this.upstream.post<SimulationReceiptBody>('/inner/receipts', parts, caller, left);
    if (receipt === null) throw new Problem('upstream_failed', 'The receipt was not made. Request it again.');
    return receipt;
  }
}
