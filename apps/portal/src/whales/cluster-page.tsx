import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { registryQuery } from '../api/registry';
import { FigureTable } from '../design/figure-table';
import { formatCount, formatUsd } from '../design/format';
import { Card, Facts, PageHeader } from '../design/layout';
import { LINK } from '../design/link';
import { Empty, ErrorNotice, Loading } from '../design/notice';
import { Address, Time, Usd } from '../design/values';
import { PlanCard } from '../positions/plan-needed';
import { ClusterGraph, kindText } from './cluster-graph';
import { type ClusterDetail, clusterQuery } from './requests';

/** A group of wallets that probably have one owner, with the evidence. */
export function ClusterPage(): ReactNode {
  const { id } = useParams({ from: '/signed-in/whales/clusters/$id' });
  return (
    <>
      <PageHeader title="Cluster of wallets">
        Wallets that probably have one owner.{' '}
        <Link to="/whales" search={{ view: 'clusters' }} className={LINK}>
          All clusters
        </Link>
      </PageHeader>
      <PlanCard
        title="Cluster"
        plan="business"
        needed="Wallets and evidence begin with the business plan."
        purpose="They say why these wallets probably have one owner."
      >
        {() => <Cluster id={id} />}
      </PlanCard>
    </>
  );
}

function Cluster({ id }: { id: string }): ReactNode {
  const cluster = useQuery(clusterQuery(id));
  if (cluster.isPending)
    return (
      <Card>
        <Loading rows={6} />
      </Card>
    );
  if (cluster.isError) return <ErrorNotice error={cluster.error} onRetry={() => void cluster.refetch()} />;
  return <Shown cluster={cluster.data} />;
}

function Shown({ cluster }: { cluster: ClusterDetail }): ReactNode {
  const names = useQuery(registryQuery).data;
  const { wallets, evidence, walletCount, totalValueUsd, dominantProtocol, updatedAt } = cluster;
  const numbers = new Map(wallets.map(({ wallet }, index) => [wallet, index + 1]));
  return (
    <div className="flex flex-col gap-6">
      <Card
        title="Cluster"
        aside={
          <span className="text-sm text-soft">
            computed <Time at={updatedAt} />
          </span>
        }
      >
        <Facts
          facts={[
            ['Wallets', formatCount(walletCount)],
            ['Net value of their positions', <Usd key="value" value={totalValueUsd} />],
            ['Most moved in', names?.protocols.get(dominantProtocol) ?? dominantProtocol],
          ]}
        />
        {wallets.length > 1 && <ClusterGraph cluster={cluster} />}
      </Card>
      <Card title="Wallets">
        <FigureTable
          label="Wallets"
          name="Number"
          heads={['Wallet', 'Net value, USD']}
          rows={wallets.map(({ wallet, valueUsd }, index) => ({
            id: wallet,
            name: formatCount(index + 1),
            figures: [<Address key="wallet" value={wallet} />, formatUsd(valueUsd)],
          }))}
        />
      </Card>
      <Card title="Evidence">
        {evidence.length === 0 ? (
          <Empty title="No evidence is stored now." />
        ) : (
          <FigureTable
            label="Evidence"
            name="Kind"
            heads={['Wallets', 'Weight', 'Chain', 'First block']}
            rows={evidence.map(({ kind, wallets: pair, weight, chainId, block }, index) => ({
              id: String(index),
              name: kindText(kind),
              figures: [
                pair.map((wallet) => numbers.get(wallet) ?? wallet).join(' and '),
                weight.toFixed(2),
                names?.chains.get(chainId) ?? `chain ${chainId}`,
                formatCount(block),
              ],
            }))}
          />
        )}
      </Card>
    </div>
  );
}
