import { stopSharedParts } from './shared-parts';

export default async function tearDown(): Promise<void> {
  const shared = globalThis.plimsollSharedParts;
  if (shared) await stopSharedParts(shared);
}
