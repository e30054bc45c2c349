import { type BlockRef, contractOf, lowerCase, optionalContractOf, planOf, readAll } from '@plimsoll/evm';
import { hexToString, zeroAddress, type Address, type Hex } from 'viem';
import type { ReadScope } from '../reader/family';
import { cropperAbi, makerAbi, vatAbi } from './abi';

/** An urn of the vat that belongs to no vault of the CDP manager and to no engine. */
export interface RawUrn {
  id: string;
  ilk: Hex;
  urn: Address;
}

/** No call lists the ilks in which an address has an urn, so all are read, once in this time. */
const KEPT_SECONDS = 3_600n;
const MAX_OWNERS = 50_000;

interface Known {
  at: bigint;
  urns: readonly RawUrn[];
}
const knownByScope = new WeakMap<ReadScope, Map<Address, Known>>();

/**
 * The urns that owners have in the vat under their own address, and under that of their urn proxy for a CropJoin. An
 * urn that is opened later is found within an hour. Source: makerdao/dss, vat.sol (urns by ilk and address);
 * makerdao/crop-join, Cropper.sol (proxy, frob).
 * @throws ChainReadError
 */
export async function readRawUrns(
  scope: ReadScope,
  owners: readonly Address[],
  block: BlockRef,
): Promise<(owner: Address) => readonly RawUrn[]> {
  const known = knownByScope.get(scope) ?? new Map<Address, Known>();
  knownByScope.set(scope, known);
  const missing = [...new Set(owners)].filter((owner) => {
    const at = known.get(owner)?.at;
    return at === undefined || block.timestamp - at > KEPT_SECONDS;
  });
  const found = missing.length > 0 ? await findUrns(scope, missing, block) : new Map<Address, RawUrn[]>();
  for (const [owner, urns] of found) {
    known.delete(owner);
    known.set(owner, { at: block.timestamp, urns });
  }
  const urnsOf = new Map(owners.map((owner) => [owner, known.get(owner)?.urns ?? []]));
  for (const owner of known.keys()) {
    if (known.size <= MAX_OWNERS) break;
    known.delete(owner);
  }
  return (owner) => urnsOf.get(owner) ?? [];
}

async function findUrns(
  scope: ReadScope,
  owners: readonly Address[],
  block: BlockRef,
): Promise<Map<Address, RawUrn[]>> {
  const { row, multicall } = scope;
  const [vat, registry] = [contractOf(row, 'vat'), contractOf(row, 'ilkRegistry')];
  const cropper = optionalContractOf(row.contracts, 'cropper');
  const { ilks, proxies } = await readAll({ row, multicall }, 'ilks and urn proxies', block, (plan) => ({
    ilks: plan.call(registry, makerAbi, 'list', []),
    proxies: cropper ? owners.map((owner) => plan.call(cropper, cropperAbi, 'proxy', [owner])) : [],
  }));
  const plan = planOf(row, 'raw urns');
  const slots = owners.flatMap((owner, index) =>
    [owner, lowerCase(proxies[index] ?? zeroAddress)]
      .filter((urn) => urn !== zeroAddress)
      .flatMap((urn) =>
        ilks.map((ilk) => ({ owner, urn, ilk, state: plan.call(vat, vatAbi, 'urns', [ilk, urn]) })),
      ),
  );
  return multicall.read(
    plan.build(({ value }) => {
      const found = new Map(owners.map((owner): [Address, RawUrn[]] => [owner, []]));
      for (const { owner, urn, ilk, state } of slots) {
        const [ink, art] = value(state);
        if (ink + art === 0n) continue;
        found.get(owner)!.push({ id: `${hexToString(ilk, { size: 32 })}:${urn}`, ilk, urn });
      }
      return found;
    }),
    block,
  );
}
