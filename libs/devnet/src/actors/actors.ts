import type { Address } from 'viem';
import type { DevnetAddresses } from '../addresses';
import { type DemoWallet, demoWallet } from '../seed/wallets';

/** An address of the local chain that is not a personal wallet. */
export interface OverlayLabel {
  chainId: number;
  address: Address;
  kind: 'deployer' | 'exchange' | 'router' | 'protocol';
  name: string;
}

/** A wallet of the running market that acts without a command. */
export interface Actor extends DemoWallet {
  name: string;
  role: 'whale' | 'market_maker';
  /** Wallets of one owner. Null: no family. */
  family: string | null;
  /** Its initial balance, in whole US dollars by symbol. */
  endowmentUsd: Readonly<Record<string, bigint>>;
}

/** Wallets of the positions and of the seeded families have lower indices. */
const FIRST_INDEX = 2_000;
const WHALE = { WETH: 3_000_000n, USDC: 2_000_000n } as const;
const MAKER = { USDC: 4_000_000n, DAI: 3_000_000n } as const;

const PLANS: readonly Omit<Actor, 'address' | 'privateKey'>[] = [
  { name: 'orca-1', role: 'whale', family: 'orca', endowmentUsd: WHALE },
  { name: 'orca-2', role: 'whale', family: 'orca', endowmentUsd: WHALE },
  { name: 'orca-3', role: 'whale', family: 'orca', endowmentUsd: WHALE },
  { name: 'beluga-1', role: 'whale', family: 'beluga', endowmentUsd: WHALE },
  { name: 'beluga-2', role: 'whale', family: 'beluga', endowmentUsd: WHALE },
  { name: 'narwhal', role: 'whale', family: null, endowmentUsd: WHALE },
  { name: 'maker-1', role: 'market_maker', family: null, endowmentUsd: MAKER },
  { name: 'maker-2', role: 'market_maker', family: null, endowmentUsd: MAKER },
];

/** All actors of a running market. The wallets are the same on every machine. */
export const ACTORS: readonly Actor[] = PLANS.map((plan, at) => ({
  ...plan,
  ...demoWallet(FIRST_INDEX + at),
}));

/** Hot wallet of the local exchange: actors without a family got their tokens and their gas there. */
export const EXCHANGE: DemoWallet = demoWallet(FIRST_INDEX + 100);

/** The wallets that fund a family with tokens and gas. */
export const TREASURIES: ReadonlyMap<string, DemoWallet> = new Map(
  [...new Set(ACTORS.flatMap(({ family }) => family ?? []))].map((family, at) => [
    family,
    demoWallet(FIRST_INDEX + 200 + at),
  ]),
);

/** The actor of a name. @throws naming the existing actors */
export function actorNamed(name: string): Actor {
  const actor = ACTORS.find((each) => each.name === name.toLowerCase());
  if (!actor)
    throw new Error(`unknown whale ${name}: use one of ${ACTORS.map((each) => each.name).join(', ')}`);
  return actor;
}

/** The source of an actor's tokens and gas. */
export function funderOf({ family }: Actor): Address {
  return (family === null ? EXCHANGE : TREASURIES.get(family)!).address;
}

/** Addresses of the local market that are not personal wallets. */
export function deploymentLabels({ chainId, operator }: DevnetAddresses): OverlayLabel[] {
  return [
    { chainId, address: operator, kind: 'deployer', name: 'Deployer of the local market' },
    { chainId, address: EXCHANGE.address, kind: 'exchange', name: 'Local exchange' },
  ];
}
