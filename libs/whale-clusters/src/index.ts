export { DEFAULT_OPTIONS, clusterWallets, type ClusterOptions, type Clustering } from './cluster-wallets';
export { carryIds, type KnownCluster } from './carry-ids';
export { EVIDENCE_WEIGHT, type Evidence, type EvidenceKind, toEdges } from './evidence';
export { sameBlockEvidence, type BlockMove } from './same-block-evidence';
export { sharedDelegateEvidence, type Delegation } from './delegate-evidence';
export { synchronousEvidence, type TimedMove } from './synchronous-evidence';
export { transferEvidence, type TokenTransfer, type TransferEvidenceOptions } from './transfer-evidence';
export type { EdgeList } from './weighted-graph';
