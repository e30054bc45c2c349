import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import {
  decodeFunctionResult,
  encodeFunctionData,
  parseAbi,
  stringToHex,
  type Address,
  type Hex,
} from 'viem';
import { RAY } from '../fixed-point/math';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import {
  forEachOf,
  liquidationVerdict,
  type ReadVerdicts,
  type Verdict,
  type VerdictScope,
} from '../verdicts/verdict';
import { engineAbi, vatAbi } from './abi';
import { enginesOf } from './accounts';

const abi = parseAbi([
  'function urns(uint256 cdp) view returns (address)',
  'function ilks(uint256 cdp) view returns (bytes32)',
  'function drip(bytes32 ilk) returns (uint256 rate)',
  'function bark(bytes32 ilk, address urn, address keeper) returns (uint256 id)',
  'function live() view returns (uint256)',
  'function Hole() view returns (uint256)',
  'function Dirt() view returns (uint256)',
]);
const dogIlkAbi = parseAbi([
  'function ilks(bytes32 ilk) view returns (address clip, uint256 chop, uint256 hole, uint256 dirt)',
]);

interface Urn {
  ilk: Hex;
  urn: Address;
}

/**
 * The amounts of the vat, the debt at the rate that a drip returns, and whether bark succeeds after the drip. No view
 * states whether an urn is safe. Where the limits of auctions are reached, or an urn has no collateral, bark fails for
 * another reason and is no verdict.
 */
export const makerVerdicts: ReadVerdicts = async (scope, positions) => {
  const { row, block, simulation } = scope;
  const [vat, jug, dog] = ['vat', 'jug', 'dog'].map((name) => contractOf(row, name)) as [
    Address,
    Address,
    Address,
  ];
  const urns = await readUrnsOf(scope, positions);
  const ilks = [...new Set(urns.map(({ ilk }) => ilk))];
  const drips = new Map(
    ilks.map((ilk) => [
      ilk,
      { to: jug, data: encodeFunctionData({ abi, functionName: 'drip', args: [ilk] }) } as const,
    ]),
  );
  const rates = new Map(
    await forEachOf(ilks, async (ilk) => {
      const dripped = await simulation.inOrder([drips.get(ilk)!], block);
      const rate = dripped.ok
        ? decodeFunctionResult({ abi, functionName: 'drip', data: dripped.value })
        : null;
      return [ilk, rate] as const;
    }),
  );
  const stated = await readAll(scope, 'verdicts', block, (plan) => ({
    live: plan.call(dog, abi, 'live', []),
    hole: plan.call(dog, abi, 'Hole', []),
    dirt: plan.call(dog, abi, 'Dirt', []),
    ofIlk: ilks.map((ilk) => plan.call(dog, dogIlkAbi, 'ilks', [ilk])),
    urns: urns.map(({ ilk, urn }) => plan.call(vat, vatAbi, 'urns', [ilk, urn])),
  }));
  const hasRoom = stated.live === 1n && stated.hole > stated.dirt;
  const open = new Set(
    ilks.filter((_, index) => {
      const [, , hole, dirt] = stated.ofIlk[index]!;
      return hasRoom && hole > dirt;
    }),
  );
  const attempts = urns.map((each, index) => ({ ...each, amounts: stated.urns[index]! }));
  const barks = await forEachOf(attempts, async ({ ilk, urn, amounts: [ink, art] }) => {
    if (ink === 0n || art === 0n || !open.has(ilk)) return null;
    const args = [ilk, urn, simulation.sender] as const;
    const bark = { to: dog, data: encodeFunctionData({ abi, functionName: 'bark', args }) };
    return (await simulation.inOrder([drips.get(ilk)!, bark], block)).ok;
  });
  return positions.map((position, index): Verdict[] => {
    const [ink, art] = stated.urns[index]!;
    const rate = rates.get(urns[index]!.ilk) ?? null;
    const debt = position.legs.find(({ side }) => side === 'debt');
    return [
      { of: 'urns: ink', computed: amountOf(position, 'collateral'), contract: ink },
      { of: 'urns: art', computed: debt?.scaledRaw ?? 0n, contract: art },
      {
        of: 'drip',
        computed: position.totalDebtRaw,
        contract: rate === null ? null : (art * rate + RAY - 1n) / RAY,
      },
      ...liquidationVerdict('bark', position, barks[index]!),
    ];
  });
};

/** The urn of a vault of the CDP manager, of an engine, or of the vat itself. */
async function readUrnsOf(scope: VerdictScope, positions: readonly RawPosition[]): Promise<Urn[]> {
  const { row, block } = scope;
  const manager = contractOf(row, 'cdpManager');
  const engines = enginesOf(row);
  const found = await readAll(scope, 'urns', block, (plan) => ({
    ilks: engines.map((engine) => plan.call(engine, engineAbi, 'ilk', [])),
    positions: positions.map(({ subId }) => {
      if (subId.startsWith('0x'))
        return {
          owners: engines.map((engine) => plan.call(engine, engineAbi, 'urnOwners', [subId as Address])),
        };
      if (subId.includes(':')) return {};
      return {
        urn: plan.call(manager, abi, 'urns', [BigInt(subId)]),
        ilk: plan.call(manager, abi, 'ilks', [BigInt(subId)]),
      };
    }),
  }));
  return positions.map(({ subId }, index): Urn => {
    const own = found.positions[index]! as { owners?: Address[]; urn?: Address; ilk?: Hex };
    if (own.urn && own.ilk) return { ilk: own.ilk, urn: lowerCase(own.urn) };
    if (own.owners) {
      const engine = own.owners.findIndex((owner) => BigInt(owner) !== 0n);
      return { ilk: found.ilks[engine]!, urn: subId as Address };
    }
    const [name, urn] = subId.split(':') as [string, Address];
    return { ilk: stringToHex(name, { size: 32 }), urn };
  });
}

function amountOf({ legs }: RawPosition, side: RawLeg['side']): bigint {
  return legs.reduce((sum, leg) => (leg.side === side ? sum + leg.amountRaw : sum), 0n);
}
