import { startReceiver } from '@plimsoll/testing';
import { type ContractOptions, HELP, UsageError, parseArguments } from './arguments';
import { findSchemathesis, runSchemathesis } from './schemathesis';
import { NotReadyError, findStack } from './stack';
import { TestAccount } from './test-account';

/** `npm run tool -- contract`, in the root of the repository. */
export async function main(words: string[]): Promise<void> {
  try {
    const options = parseArguments(words);
    if (options) process.exitCode = await runContract(options);
    else console.log(HELP);
  } catch (error) {
    const isExpected = error instanceof UsageError || error instanceof NotReadyError;
    console.error(isExpected ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

async function runContract(options: ContractOptions): Promise<number> {
  const program = findSchemathesis();
  const stack = await findStack();
  const documentUrl = new URL('/openapi.json', stack.baseUrl).href;
  const receiver = await startReceiver();
  const account = await TestAccount.create(stack);
  try {
    await account.fill(receiver.url);
    const code = await runSchemathesis(program, documentUrl, {
      ...options,
      key: account.key,
      receiverUrl: receiver.url,
    });
    console.log(
      code === 0
        ? `\nThe API is what ${documentUrl} says.`
        : '\nThe API and its document differ. Each failure above has a curl that shows it: correct the service or its classes in libs/contracts, write a test beside it, and repeat the run with its seed (--seed N).',
    );
    return code;
  } finally {
    await account.clear();
    await receiver.close();
  }
}
