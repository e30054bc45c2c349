import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { fieldsOf } from '../account/forms';
import { save } from '../api/csv';
import { docs } from '../api/origin';
import { registryQuery } from '../api/registry';
import { Button } from '../design/button';
import { Checkbox, TextField } from '../design/field';
import { Card } from '../design/layout';
import { LINK } from '../design/link';
import { ErrorNotice, Notice } from '../design/notice';
import { Status } from '../design/values';
import { PlanCard } from './plan-needed';
import { type VerifiedReceipt, isAllowedNode, readAndVerify } from './receipt';
import type { Verified } from './receipt-worker';
import type { Detailed } from './requests';

/** Derives the figures of a position again, from calls on a node of the user. */
export function VerifyCard({ position }: { position: Detailed }): ReactNode {
  return (
    <PlanCard
      title="Verify on my node"
      plan="pro"
      needed="Receipts begin with the pro plan."
      purpose="A receipt lists the calls behind these figures, so that you can make them on your own node."
    >
      {() => <Verifier position={position} />}
    </PlanCard>
  );
}

function Verifier({ position: { id, chainId } }: { position: Detailed }): ReactNode {
  const queries = useQueryClient();
  const chain = useQuery(registryQuery).data?.chains.get(chainId) ?? `chain ${chainId}`;
  // The address of a node may have a key, so it stays in the memory of this page.
  const nodeKey = ['node', chainId];
  const verification = useMutation({
    mutationFn: ({ rpcUrl, proof }: { rpcUrl: string; proof: boolean }) => readAndVerify(id, rpcUrl, proof),
  });
  return (
    <Card title="Verify on my node">
      <div className="flex flex-col gap-5 p-5">
        <p className="max-w-2xl text-soft">
          A receipt lists the calls behind these figures. This browser makes them again on your node, at the
          same block, and computes the figures itself.{' '}
          <a href={docs('/guides/verify')} className={LINK}>
            What it proves
          </a>
        </p>
        <Form
          className="flex max-w-2xl flex-col gap-4"
          onSubmit={(event) => {
            const { rpcUrl = '', proof } = fieldsOf(event);
            queries.setQueryData(nodeKey, rpcUrl.trim());
            verification.mutate({ rpcUrl: rpcUrl.trim(), proof: proof === 'yes' && rpcUrl.trim() !== '' });
          }}
        >
          <TextField
            label={`URL of your node of ${chain}`}
            name="rpcUrl"
            defaultValue={queries.getQueryData<string>(nodeKey) ?? ''}
            placeholder="http://127.0.0.1:8545"
            hint="JSON-RPC over https, or http on this machine. It stays in this page. Without it, nothing is read again."
            validate={(value) =>
              value.trim() === '' || isAllowedNode(value.trim())
                ? null
                : 'Use https, or http on 127.0.0.1 or localhost.'
            }
            maxLength={2_048}
            autoComplete="off"
            mono
          />
          <Checkbox name="proof">Prove storage too (eth_getProof)</Checkbox>
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" type="submit" isPending={verification.isPending}>
              {verification.isPending ? 'Verifying' : 'Verify'}
            </Button>
            {verification.data && (
              <Button onPress={() => save(verification.data.text, `receipt-${id}.json`, 'application/json')}>
                Save receipt
              </Button>
            )}
          </div>
        </Form>
        {verification.isPending && (
          <p role="status" className="text-soft">
            The receipt is read and verified.
          </p>
        )}
        {verification.isError && <ErrorNotice error={verification.error} />}
        {verification.data && (
          <Result receipt={verification.data} isProofWanted={verification.variables?.proof ?? false} />
        )}
      </div>
    </Card>
  );
}

function Result({
  receipt: { outcome },
  isProofWanted,
}: {
  receipt: VerifiedReceipt;
  isProofWanted: boolean;
}): ReactNode {
  return (
    <div className="flex flex-col gap-4">
      <Conclusion outcome={outcome} isProofWanted={isProofWanted} />
      <ol aria-label="Steps" className="rounded-md border border-line">
        {outcome.steps.map(({ name, ok, detail }) => (
          <li
            key={name}
            className="grid grid-cols-[6rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-2 last:border-0 sm:grid-cols-[6rem_7rem_minmax(0,1fr)]"
          >
            <span>{stateOf(ok, detail)}</span>
            <span className="font-medium">{NAMES[name] ?? name}</span>
            <span className="text-sm [overflow-wrap:anywhere] text-soft max-sm:col-span-2">{detail}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const NAMES: Partial<Record<Verified['steps'][number]['name'], string>> = {
  form: 'Form',
  hash: 'Hash',
  signature: 'Signature',
  block: 'Block',
  calls: 'Calls',
  figures: 'Figures',
  liquidation: 'Liquidation',
  proof: 'Proofs',
};

function stateOf(ok: boolean, detail: string): ReactNode {
  if (!ok) return <Status tone="bad">differs</Status>;
  return /^not (made|recomputed)/.test(detail) ? (
    <Status tone="off">not made</Status>
  ) : (
    <Status tone="good">equal</Status>
  );
}

/** Codes that say nothing about the receipt. */
const OF_THE_NODE: ReadonlySet<string> = new Set(['node_failed', 'state_unavailable', 'proof_unavailable']);

function Conclusion({
  outcome: { code, meaning, next, isRead, isRecomputed, proven },
  isProofWanted,
}: {
  outcome: Verified;
  isProofWanted: boolean;
}): ReactNode {
  if (code)
    return (
      <Notice
        tone={OF_THE_NODE.has(code) ? 'warn' : 'bad'}
        title={OF_THE_NODE.has(code) ? 'Your node could not verify it' : `The receipt differs: ${code}`}
      >
        <p>{meaning}</p>
        <p>{next}</p>
      </Notice>
    );
  const reasons = [
    ...(isRead ? [] : ['No node made the calls again.']),
    ...(isRecomputed ? [] : ['No formula gave the figures, because none is published for this position.']),
    ...(isProofWanted && proven.length === 0
      ? ['Storage proved no call: the layout of these contracts is not known.']
      : []),
  ];
  if (reasons.length === 0)
    return (
      <Notice tone="good" title="Equal to the wei">
        <p>The calls return the same results on your node, and the formula gives the same figures.</p>
        <p>
          This page is ours. To verify without it, save the receipt and run{' '}
          <code className="font-mono text-sm [overflow-wrap:anywhere]">
            npx plimsoll verify receipt.json --rpc URL
          </code>
        </p>
      </Notice>
    );
  return (
    <Notice tone="warn" title="Nothing differs, but not everything was verified">
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </Notice>
  );
}
