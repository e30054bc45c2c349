// Writes the creation code of genuine protocols for forge's tests: .local/contracts/genuine/NAME.json.
// Libraries are linked to fixed addresses, at which the tests install them.
const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { LOCAL, ROOT } = require('./paths.cjs');

process.chdir(ROOT);
process.env.SWC_NODE_PROJECT = path.join(ROOT, 'tsconfig.json');
require('@swc-node/register');

const { linkBytecode, loadArtifact } = require('../../libs/devnet/src/evm/artifacts.ts');
const { morphoArtifacts } = require('../../libs/devnet/src/morpho/artifacts.ts');
const { venusArtifacts } = require('../../libs/devnet/src/venus/artifacts.ts');

/** The addresses at which contracts/test/genuine/AaveMarket.sol installs Aave's libraries, in this order. */
const LIBRARIES = [
  'BorrowLogic',
  'BridgeLogic',
  'EModeLogic',
  'LiquidationLogic',
  'PoolLogic',
  'SupplyLogic',
  'ConfiguratorLogic',
  'FlashLoanLogic',
];
const AAVE = [
  'PoolAddressesProvider',
  'ACLManager',
  'Pool',
  'PoolConfigurator',
  'DefaultReserveInterestRateStrategy',
  'AToken',
  'VariableDebtToken',
  'StableDebtToken',
  'AaveOracle',
  'AaveProtocolDataProvider',
];
const FIRST_LIBRARY = 0xaa0001n;
const addressOf = (index) => `0x${(FIRST_LIBRARY + BigInt(index)).toString(16).padStart(40, '0')}`;

function main() {
  const folder = path.join(LOCAL, 'genuine');
  mkdirSync(folder, { recursive: true });
  const write = (name, code) => writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ code }));
  const libraries = Object.fromEntries(LIBRARIES.map((name, index) => [name, addressOf(index)]));
  for (const name of [...LIBRARIES, ...AAVE]) write(name, linkBytecode(loadArtifact(name), libraries));
  for (const [name, artifact] of Object.entries(morphoArtifacts())) write(name, linkBytecode(artifact, {}));
  for (const [name, artifact] of Object.entries(venusArtifacts()))
    write(`Venus${name}`, linkBytecode(artifact, {}));
}

module.exports = { writeGenuine: main };
if (require.main === module) main();
