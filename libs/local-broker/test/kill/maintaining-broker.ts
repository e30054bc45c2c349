// A program with the options of the command line of the broker, for BrokerProcess. It compacts its logs
// continuously.
import { parseArguments } from '../../src/bin/main';
import { startBroker } from '../../src';

const MAINTENANCE_MS = 20;

const options = parseArguments(process.argv.slice(2));
if (!options) throw new Error('--data-dir is missing');
startBroker({ ...options, maintenanceIntervalMs: MAINTENANCE_MS }).then(
  ({ url }) => process.stdout.write(`listening on ${url}\n`),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
