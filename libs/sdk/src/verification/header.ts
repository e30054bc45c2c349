import type { Hex } from 'viem';
import { keccak256, toRlp } from 'viem/utils';

/** The fields of a header in their order. Those after `nonce` were added by forks, one after the other. */
const FIELDS = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
];
/** RLP writes numbers without zeros in front, and everything else as it is. */
const NUMBERS: ReadonlySet<string> = new Set([
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'baseFeePerGas',
  'blobGasUsed',
  'excessBlobGas',
]);

/** A header as a node states it. */
export interface Header {
  hash: string;
  number: string;
  timestamp: string;
  stateRoot: Hex;
  [field: string]: unknown;
}

/** The hash of a block by the fields of its header. @throws for fields that are none */
export function headerHash(header: Header): Hex {
  const fields = FIELDS.filter((name) => header[name] !== undefined && header[name] !== null);
  return keccak256(toRlp(fields.map((name) => fieldOf(name, header[name] as Hex))));
}

function fieldOf(name: string, value: Hex): Hex {
  return NUMBERS.has(name) ? numberBytes(BigInt(value)) : value;
}

/** The bytes of a number without zeros in front. */
export function numberBytes(value: bigint): Hex {
  if (value === 0n) return '0x';
  const digits = value.toString(16);
  return `0x${digits.padStart(digits.length + (digits.length % 2), '0')}`;
}
