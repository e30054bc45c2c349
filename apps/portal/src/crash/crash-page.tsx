import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { OfflineBanner } from '../design/offline-banner';
import { sessionQuery } from '../api/client';
import { useAccountActivity } from '../api/live';
import { Button, buttonClass } from '../design/button';
import { formatCount } from '../design/format';
import { isLocal } from '../design/local';
import { ErrorNotice, Loading } from '../design/notice';
import { Changing, ShortUsd, Time } from '../design/values';
import { useLivePositions } from '../positions/live';
import { type Position, positionsQuery } from '../positions/requests';
import { totalsOf } from '../positions/totals';
import { ActionCard } from './action-card';
import { AlertRail } from './alert-rail';
import { useActiveAlerts } from './live';
import { DangerList } from './danger-list';
import { Sound } from './sound';

/** The watched positions during a crash, to be read from some metres away. */
export function CrashPage(): ReactNode {
  const failure = useAccountActivity();
  const tier = useQuery(sessionQuery).data?.account.tier ?? 'open';
  const { source, restMs } = useLivePositions();
  const list = useInfiniteQuery({ ...positionsQuery({}), refetchInterval: restMs });
  const sound = useSound();
  const alerts = useActiveAlerts(sound.play);
  const { positions = [], isComplete = true } = list.data ?? {};
  return (
    <div className="flex min-h-screen flex-col bg-canvas">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2 sm:px-6">
        <h1 className="text-xl font-semibold">Crash view</h1>
        <span className="text-sm text-soft">
          {source === 'stream' ? 'live' : list.dataUpdatedAt > 0 && <Read at={list.dataUpdatedAt} />}
        </span>
        <span className="ml-auto flex flex-wrap items-center gap-2">
          {isLocal && (
            <Link to="/local-market" className={buttonClass('plain', 'small')}>
              Shock the market
            </Link>
          )}
          <Button size="small" aria-pressed={sound.isOn} onPress={sound.toggle}>
            Sound: {sound.isOn ? 'on' : 'off'}
          </Button>
          <FullScreen />
          <Link to="/positions" className={buttonClass('plain', 'small')}>
            Leave
          </Link>
        </span>
      </header>
      <OfflineBanner error={failure} />
      <main className="grid grow content-start gap-px bg-line xl:grid-cols-[minmax(0,4fr)_minmax(0,7fr)_minmax(0,4fr)] xl:content-stretch">
        <div className="flex flex-col bg-canvas">
          <AtStake positions={positions} isComplete={isComplete} isRead={list.isSuccess} />
          <ActionCard alerts={alerts} tier={tier} />
        </div>
        <section aria-label="Positions" className="min-w-0 bg-canvas">
          {list.isError && (
            <div className="p-4 sm:p-6">
              <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
            </div>
          )}
          {list.isPending && <Loading rows={6} />}
          {list.data && <DangerList positions={positions} />}
        </section>
        <AlertRail alerts={alerts} tier={tier} />
      </main>
    </div>
  );
}

function Read({ at }: { at: number }): ReactNode {
  return (
    <>
      read <Time at={new Date(at).toISOString()} />
    </>
  );
}

function AtStake({
  positions,
  isComplete,
  isRead,
}: {
  positions: readonly Position[];
  isComplete: boolean;
  isRead: boolean;
}): ReactNode {
  const { count, inDanger, atStakeUsd } = totalsOf(positions);
  return (
    <section aria-label="At stake" className="flex flex-col gap-1 px-4 py-5 sm:px-6">
      <h2 className="text-lg text-soft lg:text-xl">At stake</h2>
      <p className="text-3xl font-semibold xl:text-4xl">
        {isRead ? (
          <Changing value={Math.round(atStakeUsd)}>
            <ShortUsd value={atStakeUsd} />
          </Changing>
        ) : (
          <span className="text-soft">not read yet</span>
        )}
      </p>
      {isRead && (
        <p role="status" className="text-xl lg:text-2xl">
          <strong>{formatCount(inDanger)}</strong> of {formatCount(count)}
          {!isComplete && ' read'} positions in danger
        </p>
      )}
    </section>
  );
}

/** The browser shows the page without its own frame. Phones without it have no button. */
function FullScreen(): ReactNode {
  const [isFull, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const changed = (): void => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = (): void =>
    void (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  return (
    <Button size="small" onPress={toggle}>
      {isFull ? 'End full screen' : 'Full screen'}
    </Button>
  );
}

/** The sound of alerts. It is off until its button is pressed. */
function useSound(): { isOn: boolean; toggle: () => void; play: () => void } {
  const [isOn, setOn] = useState(false);
  const sound = useRef<Sound>(undefined);
  useEffect(() => () => void sound.current?.switchTo(false), []);
  const toggle = useCallback((): void => {
    sound.current ??= new Sound();
    void sound.current.switchTo(!isOn);
    setOn(!isOn);
  }, [isOn]);
  const play = useCallback((): void => sound.current?.play(), []);
  return { isOn, toggle, play };
}
