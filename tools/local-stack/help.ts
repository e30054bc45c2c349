/** The output of `npm start -- --help`. */
export const HELP = `Plimsoll on this machine: real Postgres, Redis, Kafka and an EVM chain, and every service.

  npm start                        builds, starts all, stays in the foreground; Ctrl-C stops all
  npm start -- --detach            the same in the background
  npm start -- --separate          runs each service in its own process, as in production; the default is one process for all
  npm stop                         stops all, also what a killed launcher left behind
  npm run status [-- --json]       each part and service: address, health, CPU, memory; alerts for operators
  npm run market -- shock ETH -30 [--over SECONDS]
                                   moves a price on the local chains by percent, at once or step by step
  npm run market -- set ETH 2500   sets a price in US dollars
  npm run market -- replay FILE [--speed N] [--relative] [--json]
                                   moves prices along the path of a file, N seconds of it in a second (1). --relative
                                   begins at the present prices. --json prints a line for each move
  npm run market -- stop           ends a replay
  npm run market -- pause|resume   holds the market simulation, or lets it go on
  npm run market -- whale list     the whales and market makers with what they have
  npm run market -- whale act orca-1 supply 200 WETH
                                   lets one supply, borrow, withdraw, repay or transfer whole tokens
  npm run market -- whale pause|resume
                                   holds the whales alone, or lets them go on; all take --json
  npm run reset [-- --all]         stops all and removes the data (--all: the downloads too)

A price path is CSV: the first line names seconds and assets, and each further line a time and prices in US dollars. An
empty price stays, and lines that begin with # are left out:

  seconds,ETH,BTC
  0,2500,60000
  60,2310.5,

Variables of npm start, all optional:
  PORT                             of the gateway, 4000
  DATABASE_URL, REDIS_URL, KAFKA_BROKERS, RPC_URL_<chain id>
                                   a part that runs already; else a local one is started
  LOCAL_PARTS                      embedded (the default): Redis and Kafka are servers in Node; genuine: redis-server,
                                   and Kafka, which needs Java 17 and Maven
  LOCAL_CHAINS                     chain ids of the local chains, comma-separated: 1,8453
  MARKET_SEED                      of the market simulation: 1
  WHALE_ACT_MS                     milliseconds between two acts of whales on a chain: 6000; 0: none act
  DEMO_ENTERPRISE_PER_MINUTE       requests a minute of the enterprise demo account: 1000

Data, logs and downloads are under .local; .local/demo.json has addresses, keys and wallets for scripts.`;
