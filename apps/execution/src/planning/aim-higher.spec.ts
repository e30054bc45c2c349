import { TargetMissed, aimHigher } from './aim-higher';
import type { DeleverageRequest } from './plan';
import { Refusal } from './refusal';

const request = { targetRaw: 1_500_000n, aimRaw: 1_500_015n } as DeleverageRequest;

/** Ends `loss` below its aim, like a contract that truncates. */
const plannerThatLoses =
  (loss: bigint, aims: bigint[]) =>
  async ({ aimRaw, targetRaw }: DeleverageRequest): Promise<bigint> => {
    aims.push(aimRaw);
    const reached = aimRaw - loss;
    if (reached < targetRaw) throw new TargetMissed('below', targetRaw - reached);
    return reached;
  };

describe('aimHigher', () => {
  it('plans once if the target is reached', async () => {
    const aims: bigint[] = [];
    await expect(aimHigher(request, plannerThatLoses(0n, aims))).resolves.toBe(1_500_015n);
    expect(aims).toEqual([1_500_015n]);
  });

  it('aims higher by what the simulation fell short, and a twenty-thousandth more', async () => {
    const aims: bigint[] = [];
    await expect(aimHigher(request, plannerThatLoses(100n, aims))).resolves.toBe(1_500_075n);
    expect(aims).toEqual([1_500_015n, 1_500_175n]);
  });

  it('gives up after three attempts', async () => {
    let attempts = 0;
    const neverEnough = async (): Promise<never> => {
      attempts += 1;
      throw new TargetMissed('below', 1n);
    };
    await expect(aimHigher(request, neverEnough)).rejects.toThrow('below');
    expect(attempts).toBe(3);
  });

  it('does not plan again above the target, or after another refusal', async () => {
    for (const error of [new TargetMissed('above', -1n), new Refusal('infeasible', 'no')]) {
      let attempts = 0;
      const refuse = async (): Promise<never> => {
        attempts += 1;
        throw error;
      };
      await expect(aimHigher(request, refuse)).rejects.toBe(error);
      expect(attempts).toBe(1);
    }
  });
});
