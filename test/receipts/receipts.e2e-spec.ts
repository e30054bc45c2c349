import { verifyAnchor, verifyConsistency, verifyInclusion, verifyReceipt } from '@plimsoll/sdk/verify';
import { ReceiptScene } from './receipt-cases';

/** `npm run tool -- python-client` runs the verifier in Python on the same cases. */
describe('the verifier in TypeScript', () => {
  let scene: ReceiptScene;

  beforeAll(async () => {
    scene = await ReceiptScene.start();
  }, 300_000);
  afterAll(() => scene?.close());

  it('names every tampering', async () => {
    const wrong: unknown[] = [];
    for (const { name, text, keys, rpcUrl, code, isEqual } of scene.cases) {
      const outcome = await verifyReceipt(text, { keys, ...(rpcUrl !== null && { rpcUrl }) });
      const own = [outcome.code, outcome.code === null && outcome.isRead && outcome.isRecomputed];
      if (own[0] !== code || own[1] !== isEqual)
        wrong.push([name, own, [code, isEqual], outcome.steps.at(-1)]);
    }
    expect(wrong).toEqual([]);
    const changed = scene.cases.filter(({ code, name }) => code !== null && !name.startsWith('damaged'));
    const kinds = new Set(changed.map(({ name }) => name.slice(name.indexOf(': ') + 2)));
    const codes = new Set(changed.map(({ code }) => code));
    process.stdout.write(
      `${scene.cases.length} receipts: ${kinds.size} kinds of tampering, each named by one of ${codes.size} codes\n`,
    );
    expect(kinds.size).toBeGreaterThanOrEqual(30);
  }, 300_000);

  it('names every tampering with the log', async () => {
    const wrong: unknown[] = [];
    for (const { name, keys, code, text, kept, proof } of scene.logCases) {
      const outcome = await (text === null
        ? verifyConsistency(kept, proof, { keys })
        : verifyInclusion(text, proof, { keys }));
      if (outcome.code !== code || outcome.ok !== (code === null)) wrong.push([name, outcome, code]);
    }
    expect(wrong).toEqual([]);
  });

  it('names every tampering with a root on a chain', async () => {
    for (const { name, keys, rpcUrl, root, code } of scene.anchorCases) {
      const outcome = await verifyAnchor(root, { keys, rpcUrl });
      expect([name, outcome.code, outcome.ok]).toEqual([name, code, code === null]);
    }
  });

  it('names a key that is none', async () => {
    const [{ text, keys }] = scene.cases as [(typeof scene.cases)[0]];
    const outcome = await verifyReceipt(text, { keys: keys.map((key) => ({ ...key, publicKey: '%' })) });
    expect(outcome.code).toBe('signature_invalid');
  });
});
