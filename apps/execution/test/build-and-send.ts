import { type ExecutionAnswer, positionId } from '@plimsoll/contracts';
import type { SeededWallet } from '@plimsoll/devnet';
import type { RawPosition } from '@plimsoll/protocols';
import { toWad } from '../src/amounts/position';
import type { ExecutionHarness } from './execution-harness';
import type { LocalMarket } from './local-market';
import { positionsOn } from './read-positions';
import { sendBuilt } from './send-built';

/** A service with its market. */
export interface Scene {
  market: LocalMarket;
  service: ExecutionHarness;
}

export const walletOf = ({ market }: Scene, { wallet }: RawPosition): SeededWallet =>
  market.wallets.find(({ address }) => address.toLowerCase() === wallet)!;

export const healthFactor = ({ healthFactorRaw }: RawPosition): number => Number(healthFactorRaw) / 1e18;

/**
 * Registers the position with the service.
 * @returns its id
 */
export function placed({ service }: Scene, position: RawPosition): string {
  const { protocol, chainId, market, wallet, subId } = position;
  const id = positionId(position);
  service.upstream.venues.set(id, { id, protocol, chainId, market, wallet, ...(subId !== '' && { subId }) });
  return id;
}

/** Returns the same position now. */
export async function readAgain({ market }: Scene, position: RawPosition): Promise<RawPosition> {
  const positions = await positionsOn(market, position.protocol);
  return positions.find((each) => positionId(each) === positionId(position))!;
}

/** Builds for a position, sends the transactions, and compares the result with target and prediction. */
export async function buildAndSend(
  scene: Scene,
  position: RawPosition,
  target: number,
  over: object = {},
): Promise<string | undefined> {
  const body = { positionId: placed(scene, position), targetHealthFactor: target, mode: 'build', ...over };
  const response = await scene.service.call<ExecutionAnswer>('POST', '/v1/execution/deleverage', body);
  if (response.status !== 202) return response.body.errors?.[0]?.code;
  const { execution } = response.body;
  expect(BigInt(execution.predictedHealthFactorRaw!)).toBeGreaterThanOrEqual(toWad(target));
  await sendBuilt(scene.market, walletOf(scene, position).privateKey, execution.transactions);
  const reached = healthFactor(await readAgain(scene, position));
  expect(Math.abs(reached / target - 1)).toBeLessThan(1e-3);
  expect(Math.abs(reached / execution.predictedHealthFactor! - 1)).toBeLessThan(1e-6);
  return 'done';
}
