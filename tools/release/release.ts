import { SERVICES, type Service } from '@plimsoll/access';

/** The official image of Node by its digest, as the Dockerfile requires it. */
const NODE_IMAGE = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

export const USAGE = `usage: npm run tool -- release SERVICE --node-image IMAGE@sha256:DIGEST [--registry REGISTRY] [--dry-run]

  Releases one service alone: its version follows from the commits that affect it since its last tag, and
  apps/SERVICE/CHANGELOG.md, the files of releases in deploy/, a commit and the tag SERVICE@VERSION from that. It pushes nothing.
  It prints the commands that build, publish and install the image.
  --node-image  the base of the image, by its digest: node:26.10.0-trixie-slim@sha256:...
  --registry    where images are: registry.example.com/plimsoll
  --dry-run     changes nothing`;

export interface ReleaseOptions {
  service: Service;
  nodeImage: string;
  registry: string;
  isDryRun: boolean;
}

/** @throws Error that says what is wrong */
export function releaseOptions(
  [service = '', ...others]: readonly string[],
  values: { 'node-image'?: string; registry?: string; 'dry-run'?: boolean },
): ReleaseOptions {
  if (others.length > 0 || !(SERVICES as readonly string[]).includes(service))
    throw new Error(`Name one service to release: ${SERVICES.join(', ')}.`);
  const { 'node-image': nodeImage = '', registry = 'plimsoll' } = values;
  if (!NODE_IMAGE.test(nodeImage))
    throw new Error(
      '--node-image must name the image with its digest: node:VERSION@sha256: and 64 hexadecimal digits. An image without a digest differs from one build to the next.',
    );
  return { service: service as Service, nodeImage, registry, isDryRun: values['dry-run'] ?? false };
}

/** The commands that follow a release. */
export function nextCommands(
  { service, nodeImage, registry }: ReleaseOptions,
  version: string,
  commit: string,
): string {
  const image = `${registry}/${service}:${version}`;
  return `git push --follow-tags
docker build --file deploy/Dockerfile --target ${service} --tag ${image} \\
  --build-arg NODE_IMAGE=${nodeImage} --build-arg VERSION=${version} --build-arg REVISION=${commit} .
docker push ${image}
DIGEST=$(docker inspect --format '{{ index .RepoDigests 0 }}' ${image} | cut -d@ -f2)
helm upgrade --install plimsoll-${service} deploy/helm/plimsoll-service --wait --timeout 15m \\
  --values deploy/helm/values/${service}.yaml --values deploy/helm/values/sets/production.yaml \\
  --values my-cluster.yaml --set image.digest=$DIGEST
helm rollback plimsoll-${service} --wait    # if it must go back`;
}
