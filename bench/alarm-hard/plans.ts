import type { SeedPlan } from '@plimsoll/devnet';

export const POSITIONS = 48;

type Leg = Readonly<Record<string, number>>;
/** Eight positions of each kind, at health factors from the lowest one up. */
const KINDS: readonly { held: Leg; owed: Leg; lowest: number; step: number; eMode?: boolean }[] = [
  { held: { WETH: 1 }, owed: { USDC: 1 }, lowest: 1.04, step: 0.02 },
  { held: { WBTC: 1 }, owed: { USDC: 1 }, lowest: 1.08, step: 0.02 },
  { held: { LINK: 1 }, owed: { DAI: 1 }, lowest: 1.08, step: 0.02 },
  { held: { WETH: 0.6, WBTC: 0.4 }, owed: { USDC: 0.5, DAI: 0.5 }, lowest: 1.06, step: 0.02 },
  { held: { WBTC: 1 }, owed: { WETH: 1 }, lowest: 1.12, step: 0.02 },
  { held: { USDC: 1 }, owed: { DAI: 1 }, lowest: 1.007, step: 0.002, eMode: true },
];
/** The positions that the shocks concern, on Aave v3. */
export const PLANS: readonly SeedPlan[] = Array.from({ length: POSITIONS }, (_, at) => {
  const { held, owed, lowest, step, eMode = false } = KINDS[at % KINDS.length]!;
  const healthFactor = lowest + Math.floor(at / KINDS.length) * step;
  return {
    label: `position ${at + 1}`,
    suppliedUsd: 20_000,
    supplies: Object.entries(held).map(([symbol, share]) => ({ symbol, share, asCollateral: true })),
    borrows: Object.entries(owed).map(([symbol, share]) => ({ symbol, share, rate: 'variable' as const })),
    healthFactor: Math.round(healthFactor * 1e4) / 1e4,
    eMode,
  };
});
