import { CLUSTER_ENV, composeFile, prometheusFile } from './compose';
import { DEPLOYED } from './services';
import { SETS, serviceValues, setValues } from './values';
import type { Yaml } from './yaml';

const WRITTEN = 'npm run tool -- deploy:files writes this file from tools/deploy.';

const COMPOSE = `${WRITTEN} deploy/README.md describes it.

Profiles: components (Postgres, Redis, Kafka), platform (with all services and the portal), cluster (three brokers, two
of each service), demo (npm start in a container), observability (Prometheus).

  npm run tool -- deploy:secrets -- --rpc-url http://your-node
  export NODE_IMAGE=node:26.10.0-trixie-slim@sha256:...
  docker compose --profile platform up --detach --wait

The parts alone, for services on the host:

  npm run tool -- deploy:secrets
  docker compose --profile components up --detach --wait
  export DATABASE_URL=$(cat .local/compose/database-url)
  export REDIS_URL=redis://127.0.0.1:6379
  export KAFKA_BROKERS=127.0.0.1:9092
  npm start

docker compose --profile '*' down --volumes removes the data.`;

const VALUES = `${WRITTEN} Set your own values in another file.
Tests and npm run deploy:check compare the environment with the configuration class of the service, and the network with the calls
that services accept.`;

/** A file that follows from the tables of this folder. */
export interface DeployFile {
  /** The file, from the root of the repository. */
  path: string;
  comment: string;
  content: Yaml;
}

/** All of them but CLUSTER_FILE. */
export function deployFiles(): DeployFile[] {
  return [
    { path: 'docker-compose.yml', comment: COMPOSE, content: composeFile() },
    { path: 'deploy/prometheus.yml', comment: WRITTEN, content: prometheusFile() },
    ...DEPLOYED.map((service) => ({
      path: `deploy/helm/values/${service.name}.yaml`,
      comment: VALUES,
      content: serviceValues(service),
    })),
    ...SETS.map((set) => ({
      path: `deploy/helm/values/sets/${set}.yaml`,
      comment: WRITTEN,
      content: setValues(set),
    })),
  ];
}

/** The variables of the cluster profile. */
export const CLUSTER_FILE = { path: 'deploy/compose-cluster.env', text: CLUSTER_ENV };
