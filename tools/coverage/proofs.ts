import type { FAMILIES } from '@plimsoll/protocols';

/** The proof of one test for a family's reader. */
export interface Proof {
  family: keyof typeof FAMILIES;
  /** genuine: run against a protocol's bytecode; stand-in: against our own contract with its arithmetic. */
  how: 'genuine' | 'stand-in';
  /** The protocol of the bytecode. Others of the family are forks of it. */
  protocol?: string;
  what: string;
  /** The test, from the root of the repository. */
  test: string;
}

const FAMILIES_AT = 'libs/protocols/src';
const CDP = `${FAMILIES_AT}/liquity-v1/reader.e2e-spec.ts`;
const POOLED = `${FAMILIES_AT}/compound-v2/reader.e2e-spec.ts`;
const LLAMMA = `${FAMILIES_AT}/llamma/reader.e2e-spec.ts`;

/** Every proof, by family. */
export const PROOFS: readonly Proof[] = [
  {
    family: 'aave-v2',
    how: 'genuine',
    protocol: 'aave-v2',
    what: 'Aave v2 of @aave/protocol-v2 1.0.1, counting in ether, with stable-rate debt',
    test: `${FAMILIES_AT}/aave-v2/reader.e2e-spec.ts`,
  },
  {
    family: 'aave-v3',
    how: 'genuine',
    protocol: 'aave-v3',
    what: 'Aave v3.0, pool revision 1, with e-mode and stable-rate debt',
    test: `${FAMILIES_AT}/aave-v3/reader.e2e-spec.ts`,
  },
  {
    family: 'aave-v3',
    how: 'genuine',
    protocol: 'aave-v3',
    what: 'Aave v3.6, pool revision 10. Revisions 6 to 9 are recomputed approximately, and published with the figures of the contract',
    test: `${FAMILIES_AT}/aave-v3/aave-v3-6.e2e-spec.ts`,
  },
  {
    family: 'aave-v4',
    how: 'stand-in',
    what: 'a spoke with its hub, dynamic config keys and premium debt (test/contracts)',
    test: `${FAMILIES_AT}/aave-v4/reader.e2e-spec.ts`,
  },
  { family: 'comet', how: 'stand-in', what: 'Comet (test/contracts)', test: POOLED },
  {
    family: 'compound-v2',
    how: 'stand-in',
    what: 'CToken and Comptroller (test/contracts)',
    test: POOLED,
  },
  {
    family: 'dolomite',
    how: 'stand-in',
    what: 'DolomiteMargin, without risk overrides by account (test/contracts)',
    test: CDP,
  },
  {
    family: 'euler-v2',
    how: 'stand-in',
    what: 'the EVC with EVaults and an oracle with a spread; values are the controller’s own. Deposits of accounts without a controller are not read (test/contracts)',
    test: `${FAMILIES_AT}/euler-v2/reader.e2e-spec.ts`,
  },
  {
    family: 'fluid',
    how: 'stand-in',
    what: 'the vault resolver, with smart sides; amounts are the resolver’s own. DEX shares are one leg, at the price of their tokens; where nothing prices a side (BNB Smart Chain: no resolver of shares is known), a debt is unreadable (test/contracts)',
    test: `${FAMILIES_AT}/fluid/reader.e2e-spec.ts`,
  },
  {
    family: 'fraxlend',
    how: 'stand-in',
    what: 'pairs of the first and of later versions (test/contracts)',
    test: `${FAMILIES_AT}/fraxlend/reader.e2e-spec.ts`,
  },
  {
    family: 'liquity-v1',
    how: 'stand-in',
    what: 'TroveManager, in recovery mode too (test/contracts)',
    test: CDP,
  },
  {
    family: 'liquity-v2',
    how: 'stand-in',
    what: 'branches with trove NFTs, redistribution and shutdown; approximate where the registry names no price feed, as for Felix (test/contracts)',
    test: `${FAMILIES_AT}/liquity-v2/reader.e2e-spec.ts`,
  },
  {
    family: 'llamma',
    how: 'stand-in',
    what: 'markets of a LlamaLend factory; the health is the controller’s own (test/contracts)',
    test: LLAMMA,
  },
  {
    family: 'llamma-second',
    how: 'stand-in',
    what: 'markets of LlamaLend’s second factory (test/contracts)',
    test: LLAMMA,
  },
  {
    family: 'llamma-mint',
    how: 'stand-in',
    what: 'a controller and its AMM; the health is the controller’s own (test/contracts)',
    test: LLAMMA,
  },
  {
    family: 'maker',
    how: 'stand-in',
    what: 'the vat with jug and spotter, vaults of the CDP manager and urns of both lockstake engines, owned by wallets and by their proxies (test/contracts)',
    test: `${FAMILIES_AT}/maker/reader.e2e-spec.ts`,
  },
  {
    family: 'morpho-blue',
    how: 'genuine',
    protocol: 'morpho-blue',
    what: 'Morpho Blue 1.0.0',
    test: `${FAMILIES_AT}/morpho-blue/reader.e2e-spec.ts`,
  },
  {
    family: 'silo-v2',
    how: 'stand-in',
    what: 'a factory with markets of two silos, of one token too; values are the oracles’ own (test/contracts)',
    test: `${FAMILIES_AT}/silo-v2/reader.e2e-spec.ts`,
  },
  {
    family: 'venus-core',
    how: 'genuine',
    protocol: 'venus',
    what: 'the core pool of @venusprotocol/venus-protocol 10.3.0, a diamond, with VAI and a second pool; oracle and rights are ours',
    test: `${FAMILIES_AT}/compound-v2/venus-core.e2e-spec.ts`,
  },
  {
    family: 'venus-isolated',
    how: 'genuine',
    protocol: 'venus',
    what: 'an isolated pool of @venusprotocol/isolated-pools 4.4.0; a market that fails against a stand-in',
    test: `${FAMILIES_AT}/compound-v2/venus-isolated.e2e-spec.ts`,
  },
];
