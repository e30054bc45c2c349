import type { Verification } from '@plimsoll/contracts';

/** Where the health factors of a family come from (docs/decisions/0053-verified-figures.md). */
export interface FamilyVerification {
  /** Of a position that is evaluated in memory, between two full reads. */
  evaluated: Exclude<Verification, 'approximate'>;
  /** Of a full read, and so of every published position. */
  published: Exclude<Verification, 'approximate'>;
  /**
   * The function of the contract that states the figure, or where it is recomputed, a part of it or only whether the
   * position can be liquidated. Null: it states neither in a read.
   */
  statedBy: string | null;
  /** When a position is approximate instead. Absent: never. */
  approximate?: string;
}

const STATED_BY_ACCOUNT_DATA = {
  evaluated: 'recomputed',
  published: 'contract',
  statedBy: 'getUserAccountData',
} as const;
const STATED_BY_LIQUIDITY = {
  evaluated: 'recomputed',
  published: 'contract',
  statedBy: 'getAccountLiquidity',
} as const;
const STATED_BY_RATIO = {
  evaluated: 'recomputed',
  published: 'contract',
  statedBy: 'getCurrentICR',
} as const;
const STATED_BY_HEALTH = { evaluated: 'contract', published: 'contract', statedBy: 'health' } as const;
const NOT_STATED = { evaluated: 'recomputed', published: 'recomputed', statedBy: null } as const;

/** Every family by its name in the registry. */
export const VERIFICATION = {
  'aave-v2': STATED_BY_ACCOUNT_DATA,
  'aave-v3': {
    ...STATED_BY_ACCOUNT_DATA,
    approximate: 'evaluated in memory, of pool revisions 6 to 9',
  },
  'aave-v4': STATED_BY_ACCOUNT_DATA,
  comet: { ...NOT_STATED, statedBy: 'isLiquidatable' },
  'compound-v2': STATED_BY_LIQUIDITY,
  dolomite: { evaluated: 'contract', published: 'contract', statedBy: 'getAdjustedAccountValues' },
  'euler-v2': { evaluated: 'contract', published: 'contract', statedBy: 'accountLiquidityFull' },
  fluid: NOT_STATED,
  fraxlend: { ...NOT_STATED, statedBy: 'toBorrowAmount' },
  'liquity-v1': STATED_BY_RATIO,
  'liquity-v2': {
    ...STATED_BY_RATIO,
    approximate: 'the registry names no price feed of the branch (Felix): its redemption price is used',
  },
  llamma: STATED_BY_HEALTH,
  'llamma-mint': STATED_BY_HEALTH,
  'llamma-second': STATED_BY_HEALTH,
  maker: NOT_STATED,
  'morpho-blue': {
    ...NOT_STATED,
    approximate:
      'collateral without debt whose oracle fails, or a market whose loan token has no price in dollars',
  },
  'silo-v2': { ...NOT_STATED, statedBy: 'isSolvent' },
  'venus-core': STATED_BY_LIQUIDITY,
  'venus-isolated': STATED_BY_LIQUIDITY,
} as const satisfies Record<string, FamilyVerification>;

/** @throws for a family that is not in the table */
export function verificationOf(family: string): FamilyVerification {
  const known = (VERIFICATION as Readonly<Record<string, FamilyVerification>>)[family];
  if (known) return known;
  throw new Error(`the family ${family} is missing in libs/protocols/src/reader/verification.ts`);
}
