import { ApiError } from '@plimsoll/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { plimsoll } from '../api/client';
import { Card, PageHeader } from '../design/layout';
import { LINK } from '../design/link';
import { Empty, ErrorNotice, Loading } from '../design/notice';
import { Time } from '../design/values';

interface LocalMail {
  to: string;
  subject: string;
  text: string;
  at: string;
}

const mailsQuery = {
  queryKey: ['mails'],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await plimsoll.transport.send({ method: 'GET', path: '/portal/mail.json' }, { signal })) as {
      mails: LocalMail[];
    },
};

/** The mails of a platform on this machine. */
export function MailPage(): ReactNode {
  const list = useQuery({ ...mailsQuery, refetchInterval: 3_000 });
  const sendsMails = list.error instanceof ApiError && list.error.status === 404;
  return (
    <main className="mx-auto flex min-h-screen max-w-2xl flex-col gap-6 px-4 py-8 sm:px-8">
      <PageHeader title="Mails">
        Mails of this platform, which it keeps in memory instead of sending them. Newest first.
      </PageHeader>
      {list.isPending && (
        <Card>
          <Loading />
        </Card>
      )}
      {sendsMails && (
        <Card>
          <Empty title="This platform keeps no mails.">
            <p className="text-soft">npm start does. Without SMTP_URL, other platforms send none.</p>
          </Empty>
        </Card>
      )}
      {list.isError && !sendsMails && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.mails.length === 0 && (
        <Card>
          <Empty title="No mails yet. Sign up, or reset a password." />
        </Card>
      )}
      {list.data?.mails.map((mail) => (
        <Card
          key={`${mail.at} ${mail.to}`}
          title={mail.subject}
          aside={
            <span className="text-sm text-soft">
              to {mail.to}, <Time at={mail.at} />
            </span>
          }
        >
          <p className="px-5 py-4 break-words whitespace-pre-wrap">{withLinks(mail.text)}</p>
        </Card>
      ))}
    </main>
  );
}

/** A text whose addresses are links. */
function withLinks(text: string): ReactNode[] {
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    part.startsWith('http') ? (
      <a key={index} href={part} className={`${LINK} break-all`}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}
