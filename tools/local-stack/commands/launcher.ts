import path from 'node:path';
import { endGuardedProcesses } from '@plimsoll/local-parts';
import { startControlServer, type ControlServer } from '../market/control-server';
import { startChain } from '../parts/chain';
import { buildApps } from '../services/build';
import type { DemoTarget } from '../demo/demo-accounts';
import { demoFile, type DemoFile } from '../demo/demo-file';
import { writeJsonFile } from '../settings/json-file';
import type { LocalMarket } from '../market/market';
import { serviceEnvironment, type ServiceContext } from '../services/service-environment';
import { startSharedParts, type StartContext } from '../parts/start-parts';
import {
  type ServicePorts,
  chooseOperationsPorts,
  chooseServicePorts,
  startServices,
} from '../services/start-services';

/** The stack as one launcher runs it. */
export class Launcher {
  private market: LocalMarket | undefined;
  private control: ControlServer | undefined;

  constructor(private readonly context: StartContext) {}

  /**
   * Starts everything, cold or warm, and writes demo.json. Throws PartError or UsageError. stop() must still
   * be called then.
   */
  async start(): Promise<DemoFile> {
    const { config, paths, state } = this.context;
    const ports = {
      ports: await chooseServicePorts(this.context),
      operationsPorts: await chooseOperationsPorts(this.context),
    };
    const starting = this.startParts(ports);
    await startServices(
      this.context,
      ports,
      starting.then(({ service }) => service),
    );
    const { steps, chains, addresses, secrets, service, control } = await starting;

    const hasMarket = chains.some((chain) => chain.addresses);
    const wallets = hasMarket ? steps.demoWalletAddresses() : [];
    const demo = demoFile(config.publicPort, secrets, wallets, addresses, service.rpcUrls);
    if (ports.ports.has('gateway')) {
      await this.fillDemo(
        {
          baseUrl: demo.baseUrl,
          root: paths.root,
          gatewayEnvironment: {
            ...process.env,
            ...serviceEnvironment('gateway', config.publicPort, service),
          },
          secrets,
          enterprisePerMinute: config.enterprisePerMinute,
        },
        wallets,
      );
    }
    // Prices move once every service follows them.
    state.setControl(control);
    this.market?.start();
    writeJsonFile(paths.demoFile, demo);
    state.setReady();
    return demo;
  }

  /** Starts what the services need, and builds them. */
  private async startParts(ports: ServicePorts) {
    const { config, paths, progress } = this.context;
    const [addresses, markets] = await Promise.all([
      startSharedParts(this.context),
      Promise.all(config.chains.map((chain, index) => startChain(this.context, chain, index))),
      progress.step('build', () => buildApps(paths)),
    ]);
    const steps = await import('./launcher-steps');
    const secrets = steps.loadSecrets(paths.secretsFile, paths.identityKeys);
    const chains = await Promise.all(markets.map((chain) => steps.ensureExecutors(this.context, chain)));
    steps.writeRegistryOverlay(paths.overlayFile, chains);
    await steps.ensureKeeperFile(paths.keeperFile);
    const control = await this.openControl(
      new steps.LocalMarket(chains, { seed: config.marketSeed, whaleActMs: config.whaleActMs }, (line) =>
        progress.print(line),
      ),
    );
    const service: ServiceContext = {
      ...addresses,
      ...ports,
      rpcUrls: new Map(chains.map(({ chainId, rpcUrl }) => [chainId, rpcUrl])),
      registryOverlay: paths.overlayFile,
      localMails: true,
      localMarket: control,
      keeper: { file: paths.keeperFile, password: steps.KEEPER_PASSWORD },
      secrets,
      sandbox: {
        data: path.join(paths.data, 'sandbox'),
        services: path.join(paths.root, 'dist/apps'),
      },
    };
    return { steps, chains, addresses, secrets, service, control };
  }

  /** Ends everything, in an order that loses nothing. It also works when start() did not finish. */
  async stop(): Promise<void> {
    this.control?.close();
    await this.market?.stop();
    await this.context.processes.stop();
    // Ends the processes that were still starting, and the build.
    await endGuardedProcesses();
  }

  private async fillDemo(target: DemoTarget, wallets: string[]): Promise<void> {
    const { progress } = this.context;
    const { ensureDemoAccounts, ensureDemoWallets } = await import('./launcher-steps');
    await progress.step(
      'demo accounts',
      () => ensureDemoAccounts(target),
      () => 'one a tier',
    );
    await progress.step(
      'demo wallets',
      () => ensureDemoWallets(target, wallets),
      (counts) =>
        Object.entries(counts)
          .map(([tier, count]) => `${tier} ${count}`)
          .join(', '),
    );
  }

  /** The gateway needs its address, so it listens before the services start. */
  private async openControl(market: LocalMarket): Promise<{ url: string; token: string }> {
    this.market = market;
    this.control = await startControlServer(market);
    const { url, token } = this.control;
    return { url, token };
  }
}
