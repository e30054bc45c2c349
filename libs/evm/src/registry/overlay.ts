import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import {
  LABEL_KINDS,
  type LabelKind,
  type ChainRow,
  type ProtocolRegistry,
  type ProtocolRow,
} from './registry';

const address = Type.Unsafe<`0x${string}`>(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }));

/** The file of a local stack: its chains and their protocols. A row of a known id may be partial. */
export const RegistryOverlay = Type.Object({
  chains: Type.Array(
    Type.Object({
      id: Type.Integer({ minimum: 1 }),
      multicall3: address,
      name: Type.Optional(Type.String()),
      nativeCurrency: Type.Optional(Type.String()),
      blockExplorer: Type.Optional(Type.String()),
      avgBlockTime: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      accounts: Type.Optional(
        Type.Object({
          dsProxyRegistry: Type.Optional(address),
          instadappResolver: Type.Optional(address),
          summerFactory: Type.Optional(address),
          summerGuard: Type.Optional(address),
        }),
      ),
    }),
  ),
  protocols: Type.Array(
    Type.Object({
      id: Type.String({ minLength: 1 }),
      chains: Type.Record(Type.String({ pattern: '^[0-9]+$' }), Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
  /** Addresses that are not personal wallets. */
  labels: Type.Optional(
    Type.Array(
      Type.Object({
        chainId: Type.Integer({ minimum: 1 }),
        address,
        kind: Type.Unsafe<LabelKind>(Type.Union(LABEL_KINDS.map((kind) => Type.Literal(kind)))),
        name: Type.String({ minLength: 1 }),
      }),
    ),
  ),
});
export type RegistryOverlay = Static<typeof RegistryOverlay>;

/** @throws naming the first field that is wrong */
export function parseOverlay(value: unknown): RegistryOverlay {
  if (Value.Check(RegistryOverlay, value)) return value;
  const first = Value.Errors(RegistryOverlay, value).First();
  throw new Error(
    `registry overlay: ${first?.path ?? ''} ${first?.message ?? 'is not valid'}; write the file again`,
  );
}

/**
 * Merges an overlay into the registry. A chain in the overlay keeps only the overlay's markets: a local chain
 * has none of the contracts of the real one.
 * @throws when the overlay names a protocol that the registry does not know
 */
export function mergeOverlay(registry: ProtocolRegistry, overlay: RegistryOverlay): ProtocolRegistry {
  const named = new Set([
    ...overlay.chains.map(({ id }) => String(id)),
    ...overlay.protocols.flatMap(({ chains }) => Object.keys(chains)),
  ]);
  for (const { id } of overlay.protocols) {
    if (!registry.protocols.some((protocol) => protocol.id === id)) {
      throw new Error(`registry overlay: protocol ${id} is not in the registry; add it there first`);
    }
  }
  const protocols = registry.protocols.map((protocol): ProtocolRow => {
    const kept = Object.entries(protocol.chains).filter(([chainId]) => !named.has(chainId));
    const own = overlay.protocols.filter(({ id }) => id === protocol.id).map(({ chains }) => chains);
    return {
      ...protocol,
      chains: Object.assign({}, Object.fromEntries(kept), ...own) as ProtocolRow['chains'],
    };
  });
  const labels = [
    ...(registry.labels ?? []).filter(({ chainId }) => !named.has(String(chainId))),
    ...(overlay.labels ?? []),
  ];
  return { chains: mergeChains(registry.chains, overlay), protocols, labels };
}

function mergeChains(chains: readonly ChainRow[], overlay: RegistryOverlay): ChainRow[] {
  const byId = new Map(chains.map((chain) => [chain.id, chain]));
  for (const row of overlay.chains) {
    // A local chain has none of the contracts of the real one.
    const { accounts: _real, ...before } = byId.get(row.id) ?? {
      name: `Chain ${row.id}`,
      nativeCurrency: 'ETH',
      blockExplorer: '',
      avgBlockTime: null,
    };
    byId.set(row.id, { ...before, ...row });
  }
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
