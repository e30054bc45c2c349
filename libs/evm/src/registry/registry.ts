import { isAddress, type Address } from 'viem';
import { ChainReadError } from '../rpc/chain-read-error';

/** The contracts of a chain that list the proxies of a wallet, or know their owners. */
export interface AccountRegistries {
  dsProxyRegistry?: Address;
  instadappResolver?: Address;
  /** Both are needed. */
  summerFactory?: Address;
  summerGuard?: Address;
}

/** One chain of the registry. `avgBlockTime` is in seconds, null if no source publishes it. */
export interface ChainRow {
  id: number;
  name: string;
  nativeCurrency: string;
  /** Host name of the explorer; empty for a local chain. */
  blockExplorer: string;
  avgBlockTime: number | null;
  multicall3: Address;
  accounts?: AccountRegistries;
}

/** Contracts of a protocol on one chain. The family's reader knows the meaning of the names. */
export type ContractRow = Readonly<Record<string, unknown>>;

/** One protocol with its contracts by chain id. */
export interface ProtocolRow {
  id: string;
  name: string;
  /** Names the reader, e.g. aave-v3. */
  family: string;
  category: string;
  riskTier: 'low' | 'medium' | 'high';
  chains: Readonly<Record<string, ContractRow>>;
}

/** The kinds of addresses that are not personal wallets. */
export const LABEL_KINDS = ['deployer', 'router', 'exchange', 'bridge', 'protocol', 'fee_collector'] as const;
export type LabelKind = (typeof LABEL_KINDS)[number];

/** The description of a labelled address. */
export interface LabelText {
  kind: LabelKind;
  name: string;
}

/** A row of the label table. */
export interface AddressLabel extends LabelText {
  chainId: number;
  address: Address;
}

/** The protocols, chains and contracts that the product knows. */
export interface ProtocolRegistry {
  chains: readonly ChainRow[];
  protocols: readonly ProtocolRow[];
  /** Addresses that are not personal wallets. Absent: none is known. */
  labels?: readonly AddressLabel[];
}

/** One market to read: the unit of probing, of multicalls and of position keys. */
export interface MarketRow {
  protocol: string;
  family: string;
  chainId: number;
  /** Name of the instance inside the protocol. The protocol's id if it has only one. */
  market: string;
  contracts: ContractRow;
}

/** All markets of a family, optionally of one chain only. */
export function marketsOf(registry: ProtocolRegistry, family: string, chainId?: number): MarketRow[] {
  return allMarkets(registry, chainId).filter((row) => row.family === family);
}

/** All markets of all protocols, optionally of one chain only. */
export function allMarkets(registry: ProtocolRegistry, chainId?: number): MarketRow[] {
  return registry.protocols.flatMap((protocol) =>
    Object.entries(protocol.chains)
      .filter(([id]) => chainId === undefined || Number(id) === chainId)
      .flatMap(([id, contracts]) => marketRows(protocol, Number(id), contracts)),
  );
}

/**
 * Names under which a row lists its instances, the contract of one instance, and its family if it differs.
 */
const INSTANCES: readonly { list: string; contract: string; family?: string }[] = [
  { list: 'comets', contract: 'comet' },
  { list: 'comptrollers', contract: 'comptroller' },
  { list: 'spokes', contract: 'spoke' },
  { list: 'factories', contract: 'factory' },
  { list: 'mintMarkets', contract: 'controller', family: 'llamma-mint' },
  { list: 'corePool', contract: 'comptroller', family: 'venus-core' },
  { list: 'isolatedComptrollers', contract: 'comptroller', family: 'venus-isolated' },
];

/** Contracts that are a separate instance beside the row's first one: family and name. */
const ADDITIONAL: readonly { contract: string; family: string; suffix: string }[] = [
  { contract: 'oneWayFactoryV2', family: 'llamma-second', suffix: 'v2' },
];

function marketRows(protocol: ProtocolRow, chainId: number, contracts: ContractRow): MarketRow[] {
  const beside = ADDITIONAL.filter(({ contract }) => contracts[contract] !== undefined);
  const own = Object.entries(contracts).filter(([name]) => !beside.some(({ contract }) => contract === name));
  const rows = own.length > 0 ? ownRows(protocol, chainId, Object.fromEntries(own)) : [];
  const more = beside.map(({ contract, family, suffix }) => ({
    protocol: protocol.id,
    family,
    chainId,
    market: `${protocol.id}-${suffix}`,
    contracts: { [contract]: contracts[contract] },
  }));
  return [...rows, ...more];
}

function ownRows(protocol: ProtocolRow, chainId: number, contracts: ContractRow): MarketRow[] {
  const row = { protocol: protocol.id, family: protocol.family, chainId };
  if (contracts['markets'] !== undefined) {
    const markets = contracts['markets'] as Record<string, ContractRow>;
    return Object.entries(markets).map(([market, own]) => ({ ...row, market, contracts: own }));
  }
  const listed = INSTANCES.filter(({ list }) => contracts[list] !== undefined);
  if (listed.length === 0) return [{ ...row, market: protocol.id, contracts }];
  return listed.flatMap(({ list, contract, family }) =>
    Object.entries(instancesOf(list, contracts[list])).map(([market, instance]) => ({
      ...row,
      ...(family && { family }),
      market,
      contracts: { ...contracts, ...(isContractRow(instance) ? instance : { [contract]: instance }) },
    })),
  );
}

function isContractRow(instance: unknown): instance is ContractRow {
  return typeof instance === 'object' && instance !== null;
}

/**
 * Instances by name. A list without names uses addresses, so that a row added later renames no other. A
 * single instance has the name of its list.
 */
function instancesOf(list: string, value: unknown): Record<string, unknown> {
  if (Array.isArray(value))
    return Object.fromEntries(value.map((each) => [String(each).toLowerCase(), each]));
  return typeof value === 'string' ? { [list]: value } : (value as Record<string, unknown>);
}

/** This library returns addresses in lower case, so that they compare as text. */
export function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address;
}

/** "reserves of aave-v3 AaveV3Ethereum", for errors. */
export function subjectOf(row: MarketRow, what: string): string {
  return `${what} of ${row.protocol} ${row.market}`;
}

/** An address that the registry row must name. @throws ChainReadError unknown_layout */
export function contractOf(row: MarketRow, name: string): Address {
  const address = optionalContractOf(row.contracts, name);
  if (address) return address;
  const message = `${subjectOf(row, 'registry row')} names no ${name}: add one`;
  throw new ChainReadError('unknown_layout', row.chainId, message);
}

/** An address that the registry row may name. */
export function optionalContractOf(contracts: ContractRow, name: string): Address | null {
  const value = contracts[name];
  return typeof value === 'string' && isAddress(value) ? lowerCase(value) : null;
}

/**
 * Labels of a chain by address in lower case: the rows of the table, and every contract of the chain in the
 * registry. A smart account is no such contract: it stays a wallet.
 */
export function labelsOf(registry: ProtocolRegistry, chainId: number): Map<Address, LabelText> {
  const labels = new Map<Address, LabelText>();
  for (const { name, chains } of registry.protocols) {
    for (const address of addressesIn(chains[String(chainId)]))
      labels.set(lowerCase(address), { kind: 'protocol', name });
  }
  for (const row of registry.labels ?? []) {
    if (row.chainId !== chainId) continue;
    labels.set(lowerCase(row.address), { kind: row.kind, name: row.name });
  }
  return labels;
}

function addressesIn(value: unknown): Address[] {
  if (typeof value === 'string') return isAddress(value, { strict: false }) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}
