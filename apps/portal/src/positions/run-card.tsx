import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../design/button';
import { Card } from '../design/layout';
import { Empty, ErrorNotice, Loading } from '../design/notice';

/** A card whose figures are computed when they are wanted, because they cost the platform more than a read. */
export function RunCard<Data, Key extends QueryKey>({
  title,
  about,
  action,
  aside,
  hasDebt,
  query,
  children,
}: {
  title: string;
  /** The sentence that says which figures it computes. */
  about: ReactNode;
  /** The verb of its button. */
  action: string;
  aside?: ReactNode;
  hasDebt: boolean;
  query: UseQueryOptions<Data, Error, Data, Key>;
  children: (data: NonNullable<Data>) => ReactNode;
}): ReactNode {
  const [isWanted, setWanted] = useState(false);
  const run = useQuery({ ...query, enabled: isWanted && hasDebt });
  const { data } = run;
  return (
    <Card
      title={title}
      aside={
        hasDebt && (
          <span className="flex flex-wrap items-center gap-3">
            {aside}
            <Button
              size="small"
              isPending={run.isFetching}
              onPress={() => (data === undefined ? setWanted(true) : void run.refetch())}
            >
              {run.isFetching ? 'Computing' : data === undefined ? action : 'Compute again'}
            </Button>
          </span>
        )
      }
    >
      {!hasDebt && <Empty title="Without debt, nothing can be liquidated." />}
      {hasDebt && data === undefined && !run.isFetching && !run.isError && (
        <p className="max-w-2xl p-5 text-soft">{about}</p>
      )}
      {data === undefined && run.isFetching && <Loading rows={4} />}
      {run.isError && (
        <div className="p-5">
          <ErrorNotice error={run.error} onRetry={() => void run.refetch()} />
        </div>
      )}
      {data !== undefined && data !== null && children(data)}
    </Card>
  );
}
