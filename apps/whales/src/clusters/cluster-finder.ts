import { Injectable } from '@nestjs/common';
import {
  sameBlockEvidence,
  sharedDelegateEvidence,
  synchronousEvidence,
  transferEvidence,
} from '@plimsoll/whale-clusters';
import { type Address, zeroAddress } from 'viem';
import { WhalesConfig } from '../config';
import type { ChainAccess } from '../indexing/chain-access';
import { IndexStore } from '../indexing/index-store';
import { EvidenceRepository } from './evidence.repository';
import { type ChainEvidence, type Cluster, findClusters } from './find-clusters';
import { NativeFunders } from './native-funders.service';
import { NativeFundersRepository } from './native-funders.repository';
import { OwnerReader } from './owner-reader';
import { TrackedWalletsRepository } from './tracked-wallets.repository';
import { TransferScanner } from './transfer-scanner';
import { ValueReader } from './value-reader';

/** Returns addresses that are not wallets of users. */
function noWalletsOf(chain: ChainAccess): ReadonlySet<string> {
  return new Set([zeroAddress, ...chain.labels().keys()]);
}

/** Finds wallets that probably have one owner, from the data of all chains. */
@Injectable()
export class ClusterFinder {
  constructor(
    private readonly config: WhalesConfig,
    private readonly index: IndexStore,
    private readonly scanner: TransferScanner,
    private readonly funders: NativeFunders,
    private readonly funded: NativeFundersRepository,
    private readonly owners: OwnerReader,
    private readonly evidence: EvidenceRepository,
    private readonly tracked: TrackedWalletsRepository,
    private readonly values: ValueReader,
  ) {}

  /**
   * Returns clusters with at least one whale.
   * @throws ChainReadError
   */
  async find(chains: readonly ChainAccess[], random: () => number): Promise<Cluster[]> {
    const evidence: ChainEvidence[] = [];
    for (const chain of chains) {
      const noWallets = noWalletsOf(chain);
      // A liquidation in Fluid names its vault.
      const wallets = (await this.tracked.tracked(chain.client.chainId)).filter(
        (each) => !noWallets.has(each),
      );
      await this.scanner.scan(chain, wallets);
      await this.funders.scan(chain, wallets);
      for (const each of await this.evidenceOf(chain, wallets)) evidence.push(each);
    }
    const found = findClusters(evidence, random);
    const members = found.flatMap(({ wallets }) => wallets) as Address[];
    const values = await this.valuesOf(chains, members);
    const flows = new Map<string, Map<string, number>>();
    for (const { wallet, protocol, flowUsd } of await this.tracked.flows(members)) {
      const own = flows.get(wallet) ?? new Map<string, number>();
      flows.set(wallet, own.set(protocol, flowUsd));
    }
    return found.flatMap((each) => this.clusterOf(each, values, flows) ?? []);
  }

  private async evidenceOf(chain: ChainAccess, wallets: readonly Address[]): Promise<ChainEvidence[]> {
    const { chainId } = chain.client;
    const cursor = await this.index.cursor(chainId);
    if (!cursor) return [];
    const options = {
      floorUsd: this.config.EVIDENCE_FLOOR_USD,
      noWallets: noWalletsOf(chain),
    };
    const lists = await Promise.all([
      this.owners.read(chain, wallets, cursor),
      this.evidence.positionTransfers(chainId),
      this.evidence
        .delegations(chainId)
        .then((all) =>
          sharedDelegateEvidence(all.filter(({ delegate }) => !options.noWallets.has(delegate))),
        ),
      this.evidence.actingFor(chainId),
      this.evidence.transfers(chainId).then((transfers) => transferEvidence(transfers, options)),
      this.evidence.sharedMoves(chainId).then(sameBlockEvidence),
      this.evidence.timedMoves(chainId).then(synchronousEvidence),
    ]);
    // All wallets use exchanges, and an executor serves strangers, so these connect no wallets.
    const { noWallets } = options;
    const known = lists.flat().filter(({ a, b }) => !noWallets.has(a) && !noWallets.has(b));
    const pairs = new Set(known.flatMap(({ kind, a, b }) => (kind === 'first_funder' ? `${a} ${b}` : [])));
    // The first coin and the first tokens from one sender are one piece of evidence.
    const coins = (await this.funded.evidence(chainId)).filter(
      ({ a, b }) => !pairs.has(`${a} ${b}`) && !options.noWallets.has(a),
    );
    return [...known, ...coins].map((each) => ({ ...each, chainId }));
  }

  private async valuesOf(
    chains: readonly ChainAccess[],
    wallets: readonly Address[],
  ): Promise<Map<string, number>> {
    const values = new Map<string, number>();
    for (const chain of chains) {
      const cursor = await this.index.cursor(chain.client.chainId);
      if (!cursor) continue;
      for (const [wallet, usd] of await this.values.read(chain, wallets, cursor)) {
        values.set(wallet, (values.get(wallet) ?? 0) + usd);
      }
    }
    return values;
  }

  /** Returns null when it contains no whale. */
  private clusterOf(
    { wallets, evidence }: ReturnType<typeof findClusters>[number],
    values: ReadonlyMap<string, number>,
    flows: ReadonlyMap<string, ReadonlyMap<string, number>>,
  ): Cluster | null {
    const valueUsd = new Map(wallets.map((wallet) => [wallet, values.get(wallet) ?? 0]));
    const byProtocol = new Map<string, number>();
    let isWhale = false;
    for (const wallet of wallets) {
      let flow = 0;
      for (const [protocol, usd] of flows.get(wallet) ?? []) {
        flow += usd;
        byProtocol.set(protocol, (byProtocol.get(protocol) ?? 0) + usd);
      }
      isWhale ||= Math.max(flow, valueUsd.get(wallet) ?? 0) >= this.config.WHALE_THRESHOLD_USD;
    }
    const [dominant] = [...byProtocol].sort(([, a], [, b]) => b - a);
    if (!isWhale || !dominant) return null;
    const total = [...valueUsd.values()].reduce((sum, usd) => sum + usd, 0);
    return { valueUsd, totalValueUsd: Math.max(0, total), dominantProtocol: dominant[0], evidence };
  }
}
