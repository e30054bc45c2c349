import type { DeleverageRequest } from './plan';
import { Refusal } from './refusal';

const MOST_ATTEMPTS = 3;
/** At least this part of the target is added, because a smaller change may not change whole-unit amounts. */
const STEP = 20_000n;

/** The simulation of a plan did not end at its target. */
export class TargetMissed extends Refusal {
  /** @param shortRaw how far it ended below the target, wad; zero or negative when it ended above */
  constructor(
    message: string,
    readonly shortRaw: bigint,
  ) {
    super('target_missed', message);
  }
}

/**
 * Plans again with a higher aim, by the amount that the simulation fell short. Some contracts truncate the
 * average threshold to whole basis points, so a sale that changes the mix of collateral can end a
 * ten-thousandth lower than computed.
 * @throws TargetMissed when the last attempt also misses
 */
export async function aimHigher<T>(
  request: DeleverageRequest,
  plan: (request: DeleverageRequest) => Promise<T>,
): Promise<T> {
  let { aimRaw } = request;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await plan({ ...request, aimRaw });
    } catch (error) {
      if (!(error instanceof TargetMissed) || error.shortRaw <= 0n || attempt === MOST_ATTEMPTS) throw error;
      aimRaw += error.shortRaw + request.targetRaw / STEP;
    }
  }
}
