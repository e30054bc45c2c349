import { Injectable } from '@nestjs/common';
import { type PositionDetail, Problem, notFound } from '@plimsoll/contracts';
import { type Caller, InnerClient, ServiceCalls } from '@plimsoll/service-kit';
import type { Address } from 'viem';
import { ExecutionConfig } from '../config';

/** The position behind an id. */
export interface PositionVenue {
  id: string;
  protocol: string;
  chainId: number;
  market: string;
  /** Absent where a wallet can have only one position in the market. */
  subId?: string;
  /** In lower case. */
  wallet: Address;
}

/** The positions service itself waits 4 s for a chain before it responds with its stored state. */
const READ_DEADLINE_MS = 5_000;

/** Resolves an id at the positions service. None of its figures is used. Those come from the chain. */
@Injectable()
export class PositionSource {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_POSITIONS }: ExecutionConfig, calls: ServiceCalls) {
    this.upstream = new InnerClient(calls, 'positions', UPSTREAM_POSITIONS, 'The position', READ_DEADLINE_MS);
  }

  /** @throws not_found for an unknown id; unsupported_execution for a position that a proxy holds */
  async find(caller: Caller, id: string): Promise<PositionVenue> {
    const path = `/v1/positions/${encodeURIComponent(id)}`;
    const detail = await this.upstream.get<PositionDetail>(path, caller);
    if (detail === null) throw notFound('position');
    const { protocol, chainId, market, subId, proxy } = detail;
    if (proxy) {
      const message = `The contract ${proxy.address} holds this position for the wallet. Only positions that a wallet holds itself can be executed on.`;
      const error = { field: 'positionId', code: 'position_not_executable', message };
      throw new Problem('unsupported_execution', message, { errors: [error] });
    }
    const wallet = detail.wallet.toLowerCase() as Address;
    return { id, protocol, chainId, market, wallet, ...(subId !== undefined && { subId }) };
  }
}
