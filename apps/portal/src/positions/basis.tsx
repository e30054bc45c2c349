import type { ReactNode } from 'react';
import { formatCount } from '../design/format';
import { Time } from '../design/values';
import type { Forecast, MonteCarlo } from './outlook';

const MODELS = { fhs: 'filtered historical simulation', gbm: 'log-normal prices' };

/** The block, the model and the prices from which figures were computed. */
export function Basis({
  answer,
  paths,
}: {
  answer: Pick<
    Forecast | MonteCarlo,
    'asOfBlock' | 'block' | 'priceTime' | 'model' | 'historyWindow' | 'historySource'
  >;
  paths: number;
}): ReactNode {
  const { historyWindow, historySource, model } = answer;
  return (
    <p className="border-t border-line px-5 py-3 text-sm text-soft">
      {formatCount(paths)} paths of {MODELS[model]}
      {historyWindow && (
        <>
          , prices from {historyWindow.from} to {historyWindow.to} ({historySource?.join(', ')})
        </>
      )}
      . <AtBlock answer={answer} />
    </p>
  );
}

/** The block of figures, and its age. */
export function AtBlock({
  answer: { block, asOfBlock, priceTime },
}: {
  answer: Pick<Forecast, 'asOfBlock' | 'block' | 'priceTime'>;
}): ReactNode {
  return (
    <>
      Block {formatCount(block ?? Object.values(asOfBlock)[0] ?? 0)}, <Time at={priceTime} />.
    </>
  );
}
