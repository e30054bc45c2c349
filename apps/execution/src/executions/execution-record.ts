import { type ExecutionRecord, type UnsignedTransaction, checksumAddress } from '@plimsoll/contracts';
import type { RawLeg, PlannedCall } from '@plimsoll/protocols';
import type { LegAmount } from '../amounts/position';
import type { Plan, DeleverageRequest } from '../planning/plan';
import { permitData } from '../planning/permits';
import { healthFactorNumber, toDouble, usdOf } from '../planning/usd';
import { type ExecutionRow, type PlanRecord, type StepRow, stepOf } from './execution-row';

/** Gas limit of a call. It exceeds the simulated gas, because state and refunds may differ. */
export const gasLimit = (used: bigint): bigint => (used * 3n) / 2n + 20_000n;

/**
 * Returns the stored and shown part of a plan.
 * @param withTransactions whether the wallet signs it
 */
export async function planRecord(
  plan: Plan,
  request: DeleverageRequest,
  withTransactions: boolean,
): Promise<PlanRecord> {
  const { scene, after, gas, costs, fees } = plan;
  const amounts = (list: readonly LegAmount<RawLeg>[]) =>
    list.map(({ leg, amountRaw }) => ({
      asset: leg.symbol,
      address: checksumAddress(leg.address),
      amount: toDouble(amountRaw, leg.decimals),
      amountRaw: amountRaw.toString(),
      decimals: leg.decimals,
      usdValue: usdOf(leg, amountRaw, scene.position),
    }));
  return {
    block: Number(scene.block.number),
    blockHash: scene.block.hash,
    healthFactorBefore: healthFactorNumber(scene.position.healthFactorRaw),
    predictedHealthFactor: healthFactorNumber(after.healthFactorRaw),
    predictedHealthFactorRaw: after.healthFactorRaw?.toString() ?? null,
    repays: amounts(plan.repays),
    sells: amounts(plan.sells),
    costs: { gasUnits: Number(gas.reduce((sum, used) => sum + used, 0n)), ...costs },
    fees,
    transactions: withTransactions
      ? plan.calls.map((call, index) => unsigned(plan, call, gasLimit(gas[index] ?? 0n)))
      : [],
    permit: withTransactions ? await permitOf(plan, request) : null,
  };
}

/** Returns an execution as the API shows it. */
export function executionRecord(row: ExecutionRow, steps: readonly StepRow[]): ExecutionRecord {
  const { block, blockHash, ...plan } = row.plan;
  return {
    id: row.id,
    status: row.status,
    mode: row.mode,
    dryRun: row.dryRun,
    ruleId: row.ruleId,
    strategy: row.strategy,
    positionId: row.positionId,
    protocol: row.protocol,
    chainId: row.chainId,
    market: row.market,
    wallet: checksumAddress(row.wallet),
    targetHealthFactor: row.targetHealthFactor,
    maxSlippageBps: row.maxSlippageBps,
    deadline: new Date(row.deadlineMs).toISOString(),
    block,
    blockHash,
    ...plan,
    // Absent in plans that an earlier release stored.
    fees: plan.fees ?? null,
    healthFactorAfter: row.healthFactorAfter,
    transactionHash: row.transactionHash,
    includedBlock: row.includedBlock,
    confirmations: row.confirmations,
    failure: row.failure,
    steps: steps.map(stepOf),
    createdAt: new Date(row.createdAtMs).toISOString(),
    updatedAt: new Date(row.updatedAtMs).toISOString(),
  };
}

function unsigned(
  { scene: { place, row } }: Plan,
  { description, to, data, value }: PlannedCall,
  gas: bigint,
): UnsignedTransaction {
  return {
    description,
    from: checksumAddress(place.wallet),
    to: checksumAddress(to),
    data: data.toLowerCase(),
    value: value.toString(),
    chainId: row.chainId,
    gas: gas.toString(),
  };
}

/**
 * The permit call is not simulated, because its signature is missing. It has the effect of the calls that it
 * replaces.
 */
async function permitOf(plan: Plan, request: DeleverageRequest): Promise<PlanRecord['permit']> {
  const { permit, gas, scene } = plan;
  if (!permit) return null;
  const typedData = await permitData(scene, request, permit);
  if (!typedData) return null;
  const used = permit.replaces.reduce((sum, at) => sum + (gas[at] ?? 0n), 0n);
  const { replaces, call } = permit;
  return {
    replaces,
    typedData,
    transaction: unsigned(plan, call, gasLimit(used)),
    signatureAt: call.signatureAt,
  };
}
