import { hexToBigInt, type Address, type Hex } from 'viem';
import type { RpcHeader } from '../heads/head';
import type { MinedLog } from '../logs/read-logs';
import { decodeAggregate3Calls, isAggregate3 } from '../multicall/aggregate3';
import type { Transaction } from '../multicall/pinned-call';

/** The result of a call. `data` of a call that reverted is its reason. */
export interface CallResult {
  ok: boolean;
  data: Hex;
}

/** The parameter of eth_getLogs, as readLogs sends it. */
export interface RpcLogFilter {
  address: readonly Address[];
  topics: readonly unknown[];
  fromBlock: Hex;
  toBlock: Hex;
}

/** The block of an eth_call, by its hash or its number. */
export type BlockPin = Hex | { blockHash: Hex };

/** Whether an eth_call with this block reads the state of that one. */
export function isPinnedTo(pin: BlockPin, { hash, number }: RpcHeader): boolean {
  return typeof pin === 'object' ? pin.blockHash === hash : pin === number;
}

/** The logs of one address with some topics, in a range of blocks. */
interface LogRange {
  address: Address;
  topics: readonly unknown[];
  fromBlock: Hex;
  toBlock: Hex;
  logs: readonly MinedLog[];
}

/** A response to eth_getProof (EIP-1186): an account and slots of its storage, with their proofs. */
export interface RpcProof {
  address: Address;
  accountProof: readonly Hex[];
  balance: Hex;
  codeHash: Hex;
  nonce: Hex;
  storageHash: Hex;
  storageProof: readonly { key: Hex; value: Hex; proof: readonly Hex[] }[];
}

/** The fields of a transaction that readers use. */
interface RpcTransaction {
  from: Address;
}

/** The JSON of a recording. Results by contract and by data of the call; a result after "!" is that of a revert. */
export interface ChainRecordingJson {
  chainId: number;
  multicall3: Address;
  block: RpcHeader;
  calls: Record<string, Record<Hex, string>>;
  logs: readonly LogRange[];
  /** Each has all slots of its account that were read. Absent: no storage was read. */
  proofs?: readonly RpcProof[];
  /** By hash. Absent: none was read. */
  transactions?: Record<Hex, RpcTransaction>;
}

const REVERTED = '!';

/**
 * The calls, logs, transactions and proofs of one chain at one block. A multicall is stored as the calls in it, and a filter of several
 * addresses as one for each, so that a recording stays valid when readers send them in other groups.
 */
export class ChainRecording {
  /** By contract, then by data. */
  private readonly calls = new Map<string, Map<Hex, CallResult>>();
  private readonly logs: LogRange[] = [];
  /** By account. */
  private readonly proofs = new Map<string, RpcProof>();
  private readonly transactions = new Map<Hex, RpcTransaction>();

  constructor(
    readonly chainId: number,
    readonly multicall3: Address,
    readonly block: RpcHeader,
  ) {}

  static fromJson(json: ChainRecordingJson): ChainRecording {
    const { chainId, multicall3, block, calls, logs, transactions = {}, proofs = [] } = json;
    const recording = new ChainRecording(chainId, multicall3, block);
    for (const [contract, results] of Object.entries(calls)) {
      const read = Object.entries(results).map(([data, text]): [Hex, CallResult] => {
        const ok = !text.startsWith(REVERTED);
        return [data as Hex, { ok, data: (ok ? text : text.slice(REVERTED.length)) as Hex }];
      });
      recording.calls.set(contract, new Map(read));
    }
    recording.logs.push(...logs);
    for (const proof of proofs) recording.addProof(proof);
    for (const [hash, transaction] of Object.entries(transactions))
      recording.addTransaction(hash as Hex, transaction);
    return recording;
  }

  /** Sorted, so that two recordings of the same reading are the same text. */
  toJson(): ChainRecordingJson {
    const { chainId, multicall3, block } = this;
    const calls = [...this.calls].toSorted(byKey).map(([contract, results]) => {
      const texts = [...results].toSorted(byKey).map(([data, result]) => [data, textOf(result)] as const);
      return [contract, Object.fromEntries(texts)] as const;
    });
    const logs = this.logs.toSorted(
      (a, b) =>
        compare(keyOfLogs(a), keyOfLogs(b)) || Number(hexToBigInt(a.fromBlock) - hexToBigInt(b.fromBlock)),
    );
    const transactions = Object.fromEntries([...this.transactions].toSorted(byKey));
    const proofs = [...this.proofs].toSorted(byKey).map(([, proof]) => proof);
    return {
      chainId,
      multicall3,
      // A proof starts at the hash of all fields.
      block: proofs.length > 0 ? block : headerOf(block),
      calls: Object.fromEntries(calls),
      logs,
      ...(this.transactions.size > 0 && { transactions }),
      ...(proofs.length > 0 && { proofs }),
    };
  }

  /** The calls in a multicall. Null for any other call. */
  callsIn({ to, data }: Transaction): Transaction[] | null {
    if (lower(to) !== lower(this.multicall3) || !isAggregate3(data)) return null;
    return decodeAggregate3Calls(data).map((call) => ({ to: call.target, data: call.data }));
  }

  addCall(call: Transaction, result: CallResult): void {
    const contract = lower(call.to);
    const results = this.calls.get(contract) ?? new Map<Hex, CallResult>();
    this.calls.set(contract, results);
    results.set(lower(call.data), { ...result, data: lower(result.data) });
  }

  /** Undefined: not recorded. */
  resultOf(call: Transaction): CallResult | undefined {
    const known = this.calls.get(call.to)?.get(call.data);
    return known ?? this.calls.get(lower(call.to))?.get(lower(call.data));
  }

  addLogs({ address, topics, fromBlock, toBlock }: RpcLogFilter, logs: readonly MinedLog[]): void {
    for (const each of address) {
      const own = logs.filter((log) => lower(log.address) === lower(each)).map(fieldsOf);
      const range: LogRange = { address: lower(each), topics, fromBlock, toBlock, logs: own };
      const isKnown = this.logs.some(
        (known) =>
          keyOfLogs(known) === keyOfLogs(range) &&
          known.fromBlock === range.fromBlock &&
          known.toBlock === range.toBlock,
      );
      if (!isKnown) this.logs.push(range);
    }
  }

  /** The logs of a filter, oldest first. Undefined: some of its blocks are not recorded for one of its addresses. */
  logsOf({ address, topics, fromBlock, toBlock }: RpcLogFilter): MinedLog[] | undefined {
    const [first, last] = [hexToBigInt(fromBlock), hexToBigInt(toBlock)];
    const found = new Map<string, MinedLog>();
    for (const each of address) {
      const key = keyOfLogs({ address: each, topics });
      const ranges = this.logs
        .filter((range) => keyOfLogs(range) === key)
        .toSorted((a, b) => Number(hexToBigInt(a.fromBlock) - hexToBigInt(b.fromBlock)));
      let next = first;
      for (const range of ranges) {
        if (hexToBigInt(range.fromBlock) <= next && hexToBigInt(range.toBlock) >= next)
          next = hexToBigInt(range.toBlock) + 1n;
        for (const log of range.logs) {
          const number = hexToBigInt(log.blockNumber);
          if (number >= first && number <= last) found.set(`${log.blockNumber} ${log.logIndex}`, log);
        }
      }
      if (next <= last) return undefined;
    }
    return [...found.values()].toSorted(
      (a, b) =>
        Number(hexToBigInt(a.blockNumber) - hexToBigInt(b.blockNumber)) ||
        Number(hexToBigInt(a.logIndex) - hexToBigInt(b.logIndex)),
    );
  }

  addProof(proof: RpcProof): void {
    const key = lower(proof.address);
    const known = this.proofs.get(key)?.storageProof ?? [];
    const slots = new Map([...known, ...proof.storageProof].map((slot) => [BigInt(slot.key), slot]));
    const storageProof = [...slots].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, slot]) => slot);
    this.proofs.set(key, { ...proof, storageProof });
  }

  /** Undefined: not recorded. */
  proofOf(address: Address, slots: readonly Hex[]): RpcProof | undefined {
    const proof = this.proofs.get(lower(address));
    const storageProof = slots.flatMap(
      (slot) => proof?.storageProof.find(({ key }) => BigInt(key) === BigInt(slot)) ?? [],
    );
    return proof && storageProof.length === slots.length ? { ...proof, storageProof } : undefined;
  }

  addTransaction(hash: Hex, { from }: RpcTransaction): void {
    this.transactions.set(lower(hash), { from: lower(from) });
  }

  /** Undefined: not recorded. */
  transactionOf(hash: Hex): RpcTransaction | undefined {
    return this.transactions.get(lower(hash));
  }

  get callCount(): number {
    return [...this.calls.values()].reduce((sum, { size }) => sum + size, 0);
  }
}

const lower = <T extends string>(text: T): T => text.toLowerCase() as T;
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => compare(a, b);

function textOf({ ok, data }: CallResult): string {
  return ok ? data : `${REVERTED}${data}`;
}

function keyOfLogs({ address, topics }: Pick<LogRange, 'address' | 'topics'>): string {
  return lower(`${address} ${JSON.stringify(topics)}`);
}

function headerOf({ number, hash, parentHash, timestamp }: RpcHeader): RpcHeader {
  return { number, hash, parentHash, timestamp };
}

/** The fields that readers use. A node returns more. */
function fieldsOf(log: MinedLog): MinedLog {
  const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex } = log;
  return { address: lower(address), topics, data, blockNumber, blockHash, transactionHash, logIndex };
}
