// npm run tool -- contracts:mutants: removes each protection of contracts/src, one after the other, and
// requires that the named test fails.
//
// A compilation takes a quarter of a minute, so all mutants are compiled into one copy of contracts/. Each
// mutated place checks whether its mutant is the one of this run, which forge passes as the block's coinbase.
// The first run has no mutant: the copy then works like the original, and all named tests pass.
const { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { forge } = require('./forge.cjs');
const { MUTANTS } = require('./mutant-list.cjs');
const { writeGenuine } = require('./genuine.cjs');
const { CONTRACTS, LOCAL, ROOT } = require('./paths.cjs');

const COPY = path.join(LOCAL, 'mutants');
const AT_ONCE = 2;
const FIRST_COINBASE = 0xfac0000n;

const SWITCH = `// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

library Mutant {
    /// Asked in pure functions as well, which may not look at the block: hence the way around.
    function on(uint256 number) internal pure returns (bool) {
        function(uint256) view returns (bool) looks = _on;
        function(uint256) pure returns (bool) asks;
        assembly ("memory-safe") {
            asks := looks
        }
        return asks(number);
    }

    function _on(uint256 number) private view returns (bool) {
        return uint160(address(block.coinbase)) == ${FIRST_COINBASE} + number;
    }
}
`;

/** @returns the source with the mutant in it, dormant */
function withMutant(source, { name, original, mutated, kind = 'statement' }, number) {
  const places = source.split(original).length - 1;
  if (places !== 1) throw new Error(`"${name}": its original stands ${places} times in the source, not once`);
  const on = `Mutant.on(${number})`;
  const replaced = {
    text: mutated.replaceAll('$ON', on),
    expression: `(${on} ? (${mutated}) : (${original}))`,
    statement: `if (${on}) { ${mutated} } else { ${original} }`,
  }[kind];
  return source.replace(original, () => replaced);
}

function writeCopy() {
  rmSync(path.join(COPY, 'contracts'), { recursive: true, force: true });
  mkdirSync(COPY, { recursive: true });
  cpSync(CONTRACTS, path.join(COPY, 'contracts'), { recursive: true });
  rmSync(path.join(COPY, 'node_modules'), { force: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(COPY, 'node_modules'));
  mkdirSync(path.join(COPY, '.local/contracts'), { recursive: true });
  cpSync(path.join(LOCAL, 'genuine'), path.join(COPY, '.local/contracts/genuine'), { recursive: true });
  writeFileSync(path.join(COPY, 'contracts/src/Mutant.sol'), SWITCH);
  MUTANTS.forEach((mutant, index) => {
    const file = path.join(COPY, 'contracts/src', mutant.file);
    writeFileSync(file, withMutant(readFileSync(file, 'utf8'), mutant, index + 1));
  });
  for (const file of new Set(MUTANTS.map(({ file }) => file))) {
    const target = path.join(COPY, 'contracts/src', file);
    const up = '../'.repeat(file.split('/').length - 1) || './';
    const source = readFileSync(target, 'utf8');
    writeFileSync(
      target,
      source.replace(/^pragma .*$/m, (line) => `${line}\nimport {Mutant} from "${up}Mutant.sol";`),
    );
  }
}

/** Runs the tests of these names. `number` 0 means no mutant. */
async function run(tests, number) {
  const coinbase = `0x${(FIRST_COINBASE + BigInt(number)).toString(16).padStart(40, '0')}`;
  const args = ['test', '--match-test', `^(${tests.join('|')})\\(`, '--block-coinbase', coinbase];
  // Fewer runs than in the tests, so that a mutant does not count as found by chance.
  const env = { FOUNDRY_FUZZ_RUNS: '32', FOUNDRY_DENY: 'never', FOUNDRY_CODE_SIZE_LIMIT: '100000' };
  const { status, output } = await forge(args, { root: COPY, capture: true, env });
  const passed = Number(
    /(\d+) tests? passed/.exec(output.split('\n').findLast((l) => /tests? passed/.test(l)) ?? '')?.[1] ?? 0,
  );
  const failed = [...new Set([...output.matchAll(/^\[FAIL.*\] (\w+)\(/gm)].map(([, name]) => name))];
  return { status, passed, failed, output };
}

async function main(args) {
  if (args.includes('--help')) {
    console.log(
      'usage: npm run tool -- contracts:mutants [PART-OF-A-NAME]   (all mutants, or those whose name has the part)',
    );
    return 0;
  }
  const started = Date.now();
  const [part = ''] = args;
  writeGenuine();
  writeCopy();
  const tests = [...new Set(MUTANTS.map(({ test }) => test))];
  const control = await run(tests, 0);
  if (control.status !== 0 || control.passed < tests.length) {
    console.error(
      `${control.output.slice(-6_000)}\nwithout a mutant ${control.passed} of ${tests.length} tests pass`,
    );
    return 1;
  }
  console.log(`without a mutant: ${control.passed} tests pass`);
  let survived = 0;
  const wanted = MUTANTS.map((mutant, index) => ({ mutant, number: index + 1 })).filter(({ mutant }) =>
    mutant.name.includes(part),
  );
  const judge = async ({ mutant, number }) => {
    const { failed, output } = await run([mutant.test], number);
    const isKilled = failed.includes(mutant.test);
    if (!isKilled) survived += 1;
    console.log(`${isKilled ? 'killed  ' : 'SURVIVED'}  ${mutant.name}  (${mutant.test})`);
    if (!isKilled) console.log(output.slice(-1_500));
  };
  const open = [...wanted];
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) await judge(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seconds = Math.round((Date.now() - started) / 1_000);
  console.log(`${wanted.length} mutants, ${survived} survived, ${seconds} s`);
  return survived === 0 ? 0 : 1;
}

void main(process.argv.slice(2)).then((status) => (process.exitCode = status));
