import { type PermitAlternative, checksumAddress } from '@plimsoll/contracts';
import { PlanBuilder, type Outcome } from '@plimsoll/evm';
import { domainSeparator, parseAbi } from 'viem';
import type { DeleverageRequest, DraftPermit, PositionScene } from './plan';

const abi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
]);

const TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
};

/**
 * Returns the permit for the wallet to sign, or null when the token supports none. Tokens differ in the
 * version of their domain. The version whose separator equals that of the token is used, so that no signature
 * is requested in vain.
 */
export async function permitData(
  { row, chain, block, place }: PositionScene,
  { deadlineMs }: DeleverageRequest,
  { token, spender, amountRaw }: Pick<DraftPermit, 'token' | 'spender' | 'amountRaw'>,
): Promise<PermitAlternative['typedData'] | null> {
  const plan = new PlanBuilder(row.chainId, `permit of ${token.symbol}`);
  const slots = {
    name: plan.call(token.address, abi, 'name', []),
    version: plan.call(token.address, abi, 'version', []),
    nonce: plan.call(token.address, abi, 'nonces', [place.wallet]),
    separator: plan.call(token.address, abi, 'DOMAIN_SEPARATOR', []),
  };
  const { name, version, nonce, separator } = await chain.multicall.read(
    plan.build(({ outcome }) => ({
      name: valueOf(outcome(slots.name)),
      version: valueOf(outcome(slots.version)),
      nonce: valueOf(outcome(slots.nonce)),
      separator: valueOf(outcome(slots.separator)),
    })),
    block,
  );
  if (name === null || nonce === null || separator === null) return null;
  const verifyingContract = checksumAddress(token.address);
  const versions = [...new Set([...(version === null ? [] : [version]), '1', '2'])];
  const domain = versions
    .map((each) => ({ name, version: each, chainId: row.chainId, verifyingContract }))
    .find((each) => domainSeparator({ domain: each }) === separator);
  if (!domain) return null;
  return {
    domain,
    types: TYPES,
    primaryType: 'Permit',
    message: {
      owner: checksumAddress(place.wallet),
      spender: checksumAddress(spender),
      value: amountRaw.toString(),
      nonce: nonce.toString(),
      deadline: String(Math.floor(deadlineMs / 1_000)),
    },
  };
}

function valueOf<T>(outcome: Outcome<T>): T | null {
  return outcome.ok ? outcome.value : null;
}
