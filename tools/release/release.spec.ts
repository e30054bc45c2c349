import { nextCommands, releaseOptions } from './release';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const nodeImage = `node:26.10.0-trixie-slim@${DIGEST}`;

describe('the release command', () => {
  it.each([
    undefined,
    '',
    'node:26.10.0-trixie-slim',
    'node:26.10.0-trixie-slim@',
    'node:26.10.0-trixie-slim@sha256:',
    `node:26.10.0-trixie-slim@sha256:${'a'.repeat(63)}`,
    `node@${DIGEST}`,
  ])('rejects the base image %p', (image) => {
    const values = image === undefined ? {} : { 'node-image': image };
    expect(() => releaseOptions(['whales'], values)).toThrow(
      '--node-image must name the image with its digest',
    );
  });

  it.each([[[]], [['portal']], [['whales', 'alerts']]])('rejects the services %p', (services) => {
    expect(() => releaseOptions(services, { 'node-image': nodeImage })).toThrow('Name one service');
  });

  it('passes version, commit and digest on to the build', () => {
    const options = releaseOptions(['whales'], { 'node-image': nodeImage, registry: 'r.example/p' });
    const commands = nextCommands(options, '0.9.1', 'abc');
    expect(commands).toContain('--target whales --tag r.example/p/whales:0.9.1');
    expect(commands).toContain(
      `--build-arg NODE_IMAGE=${nodeImage} --build-arg VERSION=0.9.1 --build-arg REVISION=abc`,
    );
    expect(commands).toContain('helm upgrade --install plimsoll-whales');
  });
});
