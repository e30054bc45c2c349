import { planOf, type MinedLog, type BlockRef, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi, toEventSelector, zeroAddress, type Address, type Hex } from 'viem';
import { WAD } from '../fixed-point/math';
import { makerPrice } from './math';
import { engineAbi, spotAbi, vatAbi } from './abi';
import { enginesOf } from './accounts';
import type { Activity } from '../activity/activity';
import type { ActivityFamily, ActivityScope } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';
import { addressAt, hashAt } from '../activity/log-words';
import { readAtLogs } from '../activity/read-at-logs';

const abi = parseAbi([
  'function cdpi() view returns (uint256)',
  'function urns(uint256 cdp) view returns (address)',
  'function owns(uint256 cdp) view returns (address)',
  'function owner() view returns (address)',
  'function list() view returns (bytes32[])',
  'function gem(bytes32 ilk) view returns (address)',
  'function dec(bytes32 ilk) view returns (uint256)',
]);
const VAULT_OPENED = toEventSelector('NewCdp(address,address,uint256)');
/** The vat logs its calls under their selectors: frob, fork and grab. */
const noteOf = (selector: string): Hex => `${selector}${'0'.repeat(56)}` as Hex;
const [FROB, FORK, GRAB] = [noteOf('0x76088703'), noteOf('0x870c616d'), noteOf('0x7bab3f40')];
const NOTES: ReadonlySet<string> = new Set([FROB, FORK, GRAB]);
const [ILK, URN, OTHER_URN] = [{ topic: 1 }, { topic: 2 }, { topic: 3 }];
/** Start of the call in the data of a note, after its offset, its length and the selector. */
const CALL_AT = 2 + 2 * (64 + 4);
const RAY = 10n ** 27n;
const VAT_DECIMALS = 18;

interface Ilk {
  gem: Address;
  decimals: number;
}

/** An engine of lockstake. Only it knows the owners and debts of the urns of its ilk. */
interface Engine {
  address: Address;
  usds: Address;
}

/** A vault of the manager by its number, or an urn of an engine by its address. */
interface Named {
  log: MinedLog;
  urn: Address;
  id: string;
  /** Null: an urn of the manager. */
  engine: Address | null;
}

/** A vault or urn with its owner. If the owner is a proxy, this is the owner of the proxy. */
interface Owned {
  id: string;
  wallet: Address;
}

interface Vaults {
  vat: Address;
  manager: Address;
  dai: Address;
  spotter: Address;
  ilks: ReadonlyMap<Hex, Ilk>;
  /** The key is the ilk. */
  engines: ReadonlyMap<Hex, Engine>;
  /** Numbers of the manager's vaults, by urn. */
  vaultOf: ReadonlyMap<Address, string>;
  /** Owners in the range that was read last, by block hash, log index and urn. */
  owners: ReadonlyMap<string, Owned>;
  /** Rates of the notes of that range, by block hash and log index. */
  rates: ReadonlyMap<string, bigint>;
}

/**
 * Vaults of Maker (Sky): one row is the vat with its CDP manager and the engines of lockstake. A sub-id is
 * the number of a vault, or the address of an engine's urn. Collateral that an auction returns to an urn is a
 * supply, as it is in the vat.
 */
export const makerActivity: ActivityFamily<Vaults> = {
  events: new EventTable({}),
  noticeTopics: [...(NOTES as ReadonlySet<Hex>), VAULT_OPENED],
  readSource: async (scope, block) => {
    const { row } = scope;
    const [vat, manager, dai, spotter] = ['vat', 'cdpManager', 'dai', 'spot'].map((name) =>
      contractOf(row, name),
    ) as [Address, Address, Address, Address];
    const [ilks, engines, vaultOf] = await Promise.all([
      readIlks(scope, block),
      readEngines(scope, block),
      readVaults(scope, 1n, block),
    ]);
    return { vat, manager, dai, spotter, ilks, engines, vaultOf, owners: new Map(), rates: new Map() };
  },
  addressesOf: ({ vat, manager }) => [vat, manager],
  learn: async (scope, source, logs, block) => {
    const isOpened = logs.some(({ topics }) => topics[0] === VAULT_OPENED);
    const first = BigInt(source.vaultOf.size) + 1n;
    const more = isOpened ? await readVaults(scope, first, block) : new Map<Address, string>();
    const vaultOf = more.size > 0 ? new Map([...source.vaultOf, ...more]) : source.vaultOf;
    const notes = logs.filter(({ topics }) => NOTES.has(topics[0] ?? ''));
    const named = notes.flatMap((log) =>
      urnsOf(log).flatMap((urn): Named[] => {
        const id = vaultOf.get(urn);
        if (id !== undefined) return [{ log, urn, id, engine: null }];
        const engine = source.engines.get(hashAt(log, ILK));
        return engine ? [{ log, urn, id: urn, engine: engine.address }] : [];
      }),
    );
    const own = [...new Set(named.map(({ log }) => log))];
    const [owners, rates] = await Promise.all([
      readOwners(scope, source.manager, named, block),
      readRates(scope, source.vat, own, block),
    ]);
    return { ...source, vaultOf, owners, rates };
  },
  tokenOf: () => null,
  compose: (source, logs) => logs.flatMap((log) => movesOf(source, log)),
  addUsdPrice: (plan, { row }, { vat, spotter, dai, ilks, engines }, token) => {
    if (token === dai || [...engines.values()].some(({ usds }) => usds === token)) return () => WAD;
    const found = [...ilks].find(([, { gem }]) => gem === token);
    if (!found) return () => null;
    const [ilk] = found;
    const state = plan.call(vat, vatAbi, 'ilks', [ilk]);
    const ratio = plan.call(contractOf(row, 'spot'), spotAbi, 'ilks', [ilk]);
    const par = plan.call(spotter, spotAbi, 'par', []);
    return ({ value }) => {
      const [[, , spot], [, mat]] = [value(state), value(ratio)];
      const price = makerPrice(spot, mat, value(par)) / 10n ** 9n;
      return price > 0n ? price : null;
    };
  },
};

const keyOf = ({ blockHash, logIndex }: MinedLog): string => `${blockHash}|${logIndex}`;

function urnsOf(log: MinedLog): Address[] {
  const urns = [addressAt(log, URN)];
  return log.topics[0] === FORK ? [...urns, addressAt(log, OTHER_URN)] : urns;
}

/** A signed argument of the call that a note holds. */
function argumentAt({ data }: MinedLog, index: number): bigint {
  const word = data.slice(CALL_AT + 64 * index, CALL_AT + 64 * (index + 1));
  return BigInt.asIntN(256, BigInt(`0x${word.padEnd(64, '0')}`));
}

function movesOf(source: Vaults, log: MinedLog): Activity[] {
  const note = log.topics[0] ?? '';
  const rate = source.rates.get(keyOf(log));
  if (!NOTES.has(note) || rate === undefined) return [];
  const ilk = source.ilks.get(hashAt(log, ILK));
  const owed = source.engines.get(hashAt(log, ILK))?.usds ?? source.dai;
  const owner = source.owners.get(`${keyOf(log)}|${addressAt(log, URN)}`);
  if (!ilk || !owner) return [];
  const [ink, art] =
    note === FORK ? [argumentAt(log, 3), argumentAt(log, 4)] : [argumentAt(log, 4), argumentAt(log, 5)];
  const collateral = (amount: bigint): bigint => amount / 10n ** BigInt(VAT_DECIMALS - ilk.decimals);
  const debt = (amount: bigint): bigint => (amount * rate) / RAY;
  const of = { log, wallet: owner.wallet, counterparty: null, subId: owner.id };
  if (note === GRAB) {
    const moves: Activity[] = [
      { ...of, action: 'liquidation', token: owed, amountRaw: debt(-art) },
      // An engine returns what its auction did not sell by a second grab (LockstakeEngine.onRemove).
      { ...of, part: 1, action: 'supply', token: ilk.gem, amountRaw: collateral(ink) },
    ];
    return moves.filter(({ amountRaw }) => amountRaw > 0n);
  }
  if (note === FORK) {
    const to = source.owners.get(`${keyOf(log)}|${addressAt(log, OTHER_URN)}`);
    const amountRaw = collateral(ink);
    if (!to || to.wallet === owner.wallet || amountRaw <= 0n) return [];
    return [{ ...of, action: 'transfer', counterparty: to.wallet, token: ilk.gem, amountRaw }];
  }
  const moves: Activity[] = [
    { ...of, action: 'supply', token: ilk.gem, amountRaw: collateral(ink) },
    { ...of, part: 1, action: 'repay', token: owed, amountRaw: debt(-art) },
    { ...of, part: 2, action: 'borrow', token: owed, amountRaw: debt(art) },
    { ...of, part: 3, action: 'withdraw', token: ilk.gem, amountRaw: collateral(-ink) },
  ];
  return moves.filter(({ amountRaw }) => amountRaw > 0n);
}

async function readIlks({ row, multicall }: ActivityScope, block: BlockRef): Promise<Map<Hex, Ilk>> {
  const registry = contractOf(row, 'ilkRegistry');
  const ilks = await readAll({ row, multicall }, 'ilks', block, (plan) =>
    plan.call(registry, abi, 'list', []),
  );
  const plan = planOf(row, 'collateral');
  const slots = ilks.map((ilk) => ({
    ilk,
    gem: plan.call(registry, abi, 'gem', [ilk]),
    decimals: plan.call(registry, abi, 'dec', [ilk]),
  }));
  const read = await multicall.read(
    plan.build(({ value }) =>
      slots.map(({ ilk, gem, decimals }): [Hex, Ilk] => {
        return [ilk, { gem: lowerCase(value(gem)), decimals: Number(value(decimals)) }];
      }),
    ),
    block,
  );
  return new Map(read.filter(([, { gem }]) => gem !== zeroAddress));
}

/** The engines that exist at the block. */
async function readEngines({ row, multicall }: ActivityScope, block: BlockRef): Promise<Map<Hex, Engine>> {
  const addresses = enginesOf(row);
  if (addresses.length === 0) return new Map();
  const plan = planOf(row, 'engines');
  const slots = addresses.map((address) => ({
    address,
    ilk: plan.call(address, engineAbi, 'ilk', []),
    usds: plan.call(address, engineAbi, 'usds', []),
  }));
  const found = await multicall.read(
    plan.build(({ outcome }) =>
      slots.flatMap(({ address, ...engine }): [Hex, Engine][] => {
        const [ilk, usds] = [outcome(engine.ilk), outcome(engine.usds)];
        return ilk.ok && usds.ok ? [[ilk.value, { address, usds: lowerCase(usds.value) }]] : [];
      }),
    ),
    block,
  );
  return new Map(found);
}

/** The manager's vaults, counted from one. Only the manager knows the owner of an urn. */
async function readVaults(
  { row, multicall }: ActivityScope,
  from: bigint,
  block: BlockRef,
): Promise<Map<Address, string>> {
  const manager = contractOf(row, 'cdpManager');
  const last = await readAll({ row, multicall }, 'vaults', block, (plan) =>
    plan.call(manager, abi, 'cdpi', []),
  );
  const plan = planOf(row, 'urns');
  const slots: { id: string; urn: ReturnType<typeof addUrn> }[] = [];
  const addUrn = (id: bigint) => plan.call(manager, abi, 'urns', [id]);
  for (let id = from; id <= last; id += 1n) slots.push({ id: String(id), urn: addUrn(id) });
  if (slots.length === 0) return new Map();
  const urns = await multicall.read(
    plan.build(({ value }) => slots.map(({ id, urn }): [Address, string] => [lowerCase(value(urn)), id])),
    block,
  );
  return new Map(urns);
}

/**
 * The owners of the vaults and urns at the notes. For a proxy, this is the owner of the proxy. Urns without
 * an owner are omitted.
 */
async function readOwners(
  { row, multicall }: ActivityScope,
  manager: Address,
  named: readonly Named[],
  head: BlockRef,
): Promise<Map<string, Owned>> {
  const owners = await readAtLogs(multicall, named, head, (some) => {
    const plan = planOf(row, 'owners of vaults');
    const slots = some.map(({ urn, id, engine }) =>
      engine
        ? plan.call(engine, engineAbi, 'urnOwners', [urn])
        : plan.call(manager, abi, 'owns', [BigInt(id)]),
    );
    return plan.build(({ outcome }) => slots.map(outcome));
  });
  const held = [...owners].flatMap(([item, owner]) =>
    owner.ok && owner.value !== zeroAddress ? [{ ...item, owner: lowerCase(owner.value) }] : [],
  );
  const behind = await readAtLogs(multicall, held, head, (some) => {
    const plan = planOf(row, 'owners of proxies');
    const slots = some.map(({ owner }) => plan.call(owner, abi, 'owner', []));
    return plan.build(({ outcome }) => slots.map(outcome));
  });
  return new Map(
    held.map((item) => {
      const proxied = behind.get(item);
      const wallet = proxied?.ok && proxied.value !== zeroAddress ? lowerCase(proxied.value) : item.owner;
      return [`${keyOf(item.log)}|${item.urn}`, { id: item.id, wallet }];
    }),
  );
}

/** The amount of one unit of normalised debt at each note. */
async function readRates(
  { row, multicall }: ActivityScope,
  vat: Address,
  notes: readonly MinedLog[],
  head: BlockRef,
): Promise<Map<string, bigint>> {
  const items = notes.map((log) => ({ log }));
  const read = await readAtLogs(multicall, items, head, (some) => {
    const plan = planOf(row, 'rates');
    const slots = some.map(({ log }) => plan.call(vat, vatAbi, 'ilks', [hashAt(log, ILK)]));
    return plan.build(({ outcome }) => slots.map(outcome));
  });
  const rates = new Map<string, bigint>();
  for (const [{ log }, outcome] of read) if (outcome.ok) rates.set(keyOf(log), outcome.value[1]);
  return rates;
}
