import { allMarkets, type ProtocolRegistry, type ProtocolRow } from '@plimsoll/evm';
import { VERIFICATION, usdOraclesOf, type FamilyVerification } from '@plimsoll/protocols';
import type { Proof } from './proofs';
import { RECORDINGS_TEST, type Recording } from './recordings';

/** Own bytecode, that of the forked protocol, a stand-in, without dollar prices, not read. */
type Mark = 'G' | 'F' | 'S' | 'U' | '·';

const HEAD = `# Coverage

\`npm run coverage:protocols\` writes this page. A test compares it with the registry, the readers and the tests. Addresses
come from the registry, and no test probes them: \`npm run doctor\` checks them on your own nodes.
`;
const HOW = `## How each family is proved

A recording has the calls of a reading of genuine contracts with what these contracts themselves state. A stand-in, a contract
of ours with a protocol's read interface, proves no figure, because the author of the reader wrote it. A family that has
nothing else is marked S.

| family | how | what was run | shown by |
|---|---|---|---|
`;
const RECORDED = `## Recordings

\`${RECORDINGS_TEST}\` reads each of them again with today's reader, and compares every position with the verdicts of its
contracts. [How recordings are made](../test/recordings/README.md).

| recording | pairs | source | positions | exact | different | wallets not readable | verdicts | liquidations that succeed, revert |
|---|--:|---|--:|--:|--:|--:|--:|--:|
`;

const BY_FAMILY = `## By family

The recordings of each family together, and the pairs of protocol and chain that it reads. Forks of a protocol are other pairs
of its family.

| family | pairs | source | positions | exact | different | verdicts | liquidations that succeed, revert |
|---|--:|---|--:|--:|--:|--:|--:|
`;

const VERIFIED = `## Verification

Where the health factor of a position comes from: its \`verification\`. A full read, every event and every alert has that of
the third column. A watched wallet has that of the second in responses between two events, because a block is evaluated in
memory. [Decision 53](decisions/0053-verified-figures.md) defines the three.

| family | evaluated | published | compared with | approximate |
|---|---|---|---|---|
`;

/** The text of docs/coverage.md: how each protocol is proved on each chain, and the proofs. */
export function toMarkdown(
  registry: ProtocolRegistry,
  proofs: readonly Proof[],
  recordings: readonly Recording[],
): string {
  const lines = registry.protocols.map((protocol) => ({
    name: protocol.name,
    marks: registry.chains.map(({ id }) => markOf(registry, proofs, recordings, protocol, id)),
  }));
  const marks = lines.flatMap((line) => line.marks.filter((mark) => mark !== null));
  const count = (wanted: Mark): number => marks.filter((mark) => mark === wanted).length;
  const isRead = (mark: Mark | null): boolean => mark !== null && mark !== '·' && mark !== 'U';
  const protocolsRead = lines.filter((line) => line.marks.some(isRead)).length;
  const unpriced =
    count('U') > 0
      ? ` ${count('U')} do not count as read (U): no oracle of the chain gives dollar prices, so only positions that count in ` +
        `dollars themselves are shown, and all others are unreadable.`
      : '';
  const notRead = count('·') > 0 ? `; ${count('·')} are in the registry and not read (·)` : '';
  const summary =
    `${protocolsRead} of ${lines.length} protocols are read, ${marks.filter(isRead).length} of ${marks.length} pairs of ` +
    `protocol and chain: ${count('G')} proved on the protocol's own bytecode (G), ${count('F')} on the bytecode of which ` +
    `it is a fork (F), ${count('S')} against a stand-in of ours (S)${notRead}.${unpriced}`;
  const table = [
    `| | ${registry.chains.map(({ name }) => name).join(' | ')} |`,
    `|---|${registry.chains.map(() => ':-:|').join('')}`,
    ...lines.map((line) => `| ${line.name} | ${line.marks.map((mark) => mark ?? '').join(' | ')} |`),
  ];
  const genuine = proofs.filter(({ how }) => how === 'genuine');
  const shown = [...recordedProofs(recordings), ...genuine]
    .toSorted((a, b) => Number(a.family > b.family) - Number(a.family < b.family))
    .map(({ family, how, what, test }) => `| ${family} | ${how} | ${what} | \`${test}\` |`);
  const recorded = recordings.map((each) => recordingLine(each, pairsOf(registry, each)));
  const sections = [
    `${HEAD}\n${summary}\n\n${table.join('\n')}`,
    `${VERIFIED}${Object.entries(VERIFICATION).map(verificationLine).join('\n')}`,
    `${HOW}${shown.join('\n')}`,
    `${BY_FAMILY}${familyLines(registry, recordings).join('\n')}`,
    `${RECORDED}${recorded.join('\n')}\n`,
  ];
  return sections.join('\n\n');
}

function verificationLine([family, known]: [string, FamilyVerification]): string {
  const { evaluated, published, statedBy, approximate } = known;
  const stated = statedBy === null ? '' : `\`${statedBy}\``;
  return `| ${family} | ${evaluated} | ${published} | ${stated} | ${approximate ?? ''} |`;
}

/** One line for each source: its recordings differ only in the state of the chain. */
function recordedProofs(recordings: readonly Recording[]) {
  const texts = new Map(
    recordings.map((each) => [`${each.family} ${each.protocol} ${versionOf(each)}`, each]),
  );
  return [...texts.values()].map(({ family, protocol, scenario }) => ({
    family,
    how: 'genuine, recorded',
    what: `${protocol}: ${scenario}`,
    test: RECORDINGS_TEST,
  }));
}

function recordingLine(recording: Recording, pairs: number): string {
  const { name, positions, exact, different, wallets, verdicts, liquidations } = recording;
  const { succeed, revert } = liquidations;
  return `| ${name} | ${pairs} | ${originOf(recording)} | ${positions} | ${exact} | ${different} | ${wallets.unreadable} | ${verdicts} | ${succeed}, ${revert} |`;
}

function originOf(recording: Recording): string {
  const { source } = recording;
  const code = 'package' in source ? 'npm' : `${source.repository} at`;
  return `${code} ${versionOf(recording)}, ${source.compiler.split(',')[0]}`;
}

/** A line for every family that is read, also for one that has no recording. */
function familyLines(registry: ProtocolRegistry, recordings: readonly Recording[]): string[] {
  return Object.keys(VERIFICATION).map((family) => {
    const own = recordings.filter((each) => each.family === family);
    const sum = (of: (recording: Recording) => number): number =>
      own.reduce((total, each) => total + of(each), 0);
    const rows = allMarkets(registry).filter((row) => row.family === family);
    const pairs = new Set(rows.map(({ protocol, chainId }) => `${protocol} ${chainId}`)).size;
    const sources = [...new Set(own.map(originOf))].join('; ');
    const counts = [sum(({ positions }) => positions), sum(({ exact }) => exact)];
    const [different, verdicts] = [sum((each) => each.different), sum((each) => each.verdicts)];
    const [succeed, revert] = [
      sum((each) => each.liquidations.succeed),
      sum((each) => each.liquidations.revert),
    ];
    return `| ${family} | ${pairs} | ${sources} | ${counts.join(' | ')} | ${different} | ${verdicts} | ${succeed}, ${revert} |`;
  });
}

/** The commit that was compiled, or the package that the project published. */
function versionOf({ source }: Recording): string {
  return 'commit' in source ? source.commit.slice(0, 7) : source.package;
}

/** The number of chains on which the protocol of a recording has the family. */
function pairsOf(registry: ProtocolRegistry, { protocol, family }: Recording): number {
  const rows = allMarkets(registry).filter((row) => row.protocol === protocol && row.family === family);
  return new Set(rows.map(({ chainId }) => chainId)).size;
}

/**
 * Null if the protocol is not on the chain. A pair of several families has the mark of the weakest of them.
 */
function markOf(
  registry: ProtocolRegistry,
  proofs: readonly Proof[],
  recordings: readonly Recording[],
  protocol: ProtocolRow,
  chainId: number,
): Mark | null {
  const rows = allMarkets(registry, chainId).filter((row) => row.protocol === protocol.id);
  if (rows.length === 0) return null;
  const own = new Set(
    rows.map(({ family }): Mark => {
      const known = proofs.filter((each) => each.family === family);
      if (known.length === 0) return '·';
      const needsDollarOracle = known.some((each) => each.needsDollarOracle);
      if (needsDollarOracle && usdOraclesOf(registry, chainId).length === 0) return 'U';
      const genuine = [
        ...known.filter(({ how }) => how === 'genuine'),
        ...recordings.filter((each) => each.family === family),
      ];
      if (genuine.length === 0) return 'S';
      return genuine.some((each) => each.protocol === protocol.id) ? 'G' : 'F';
    }),
  );
  const weakest = (['·', 'U', 'S', 'F', 'G'] as const).find((mark) => own.has(mark));
  return weakest ?? null;
}
