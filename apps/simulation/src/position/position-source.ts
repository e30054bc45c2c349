import { Injectable } from '@nestjs/common';
import { type PositionDetail, type PositionList, Problem, notFound } from '@plimsoll/contracts';
import { type Caller, InnerClient, ServiceCalls } from '@plimsoll/service-kit';
import { SimulationConfig } from '../config';

/** The positions service itself waits 4 s for a chain before it returns stored figures. */
const READ_DEADLINE_MS = 5_000;
/** The largest page of a list, and as many pages as one portfolio may have. */
const PAGE = 200;
const MAX_PAGES = 25;

/** Current positions from the positions service, with the identity of the caller. */
@Injectable()
export class PositionSource {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_POSITIONS }: SimulationConfig, calls: ServiceCalls) {
    this.upstream = new InnerClient(calls, 'positions', UPSTREAM_POSITIONS, 'The position', READ_DEADLINE_MS);
  }

  /** @throws not_found for an id that was never seen */
  async read(caller: Caller, positionId: string, left: AbortSignal): Promise<PositionDetail> {
    const path = `/v1/positions/${encodeURIComponent(positionId)}`;
    const detail = await this.upstream.get<PositionDetail>(path, caller, left);
    if (detail === null) throw notFound('position');
    return detail;
  }

  /**
   * Every position of wallets (comma-separated) or of a wallet group (absent: those that the account watches) with its
   * assets, page by page.
   * @throws invalid_request above the largest portfolio
   */
  async list(
    caller: Caller,
    wallet: string | undefined,
    left: AbortSignal,
    walletGroupId?: string,
  ): Promise<PositionList[]> {
    const query = new URLSearchParams({ include: 'assets', limit: String(PAGE) });
    if (wallet !== undefined) query.set('wallet', wallet);
    if (walletGroupId !== undefined) query.set('walletGroupId', walletGroupId);
    const pages: PositionList[] = [];
    for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.nextCursor) {
      if (pages.length === MAX_PAGES) throw tooMany();
      if (cursor !== '') query.set('cursor', cursor);
      const page = await this.upstream.get<PositionList>(`/v1/positions?${query}`, caller, left);
      if (page === null) throw notFound('position');
      pages.push(page);
    }
    return pages;
  }
}

function tooMany(): Problem {
  const message = `These wallets have more than ${PAGE * MAX_PAGES} positions. Name some of them with wallet.`;
  return new Problem('invalid_request', message, {
    errors: [{ field: 'wallet', code: 'too_many_positions', message }],
  });
}
