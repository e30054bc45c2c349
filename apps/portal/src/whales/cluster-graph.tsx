import type { ReactNode } from 'react';
import { shortened } from '../design/format';
import { graphOf } from './graph';
import type { ClusterDetail } from './requests';

/** Wallets that a circle shows without overlaps. */
const MOST_NODES = 24;
const SIZE = 400;
const RADIUS = 11;

/** Wallets as numbered circles, with lines of evidence between them. The numbers are those of the list of wallets. */
export function ClusterGraph({ cluster: { wallets, evidence } }: { cluster: ClusterDetail }): ReactNode {
  const shown = wallets.slice(0, MOST_NODES).map(({ wallet }) => wallet);
  const { nodes, edges } = graphOf(shown, evidence);
  return (
    <figure className="p-5">
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`${nodes.length} wallets with ${edges.length} lines of evidence between them. The lists below have all of them.`}
        className="mx-auto w-full max-w-md"
      >
        {edges.map(({ from, to, kinds, weight }) => (
          <line
            key={`${from.number} ${to.number}`}
            x1={from.x * SIZE}
            y1={from.y * SIZE}
            x2={to.x * SIZE}
            y2={to.y * SIZE}
            className="stroke-line-strong"
            strokeWidth={1 + 4 * weight}
          >
            <title>{`${from.number} and ${to.number}: ${kinds.map(kindText).join(', ')}, weight ${weight.toFixed(2)}`}</title>
          </line>
        ))}
        {nodes.map(({ wallet, number, x, y }) => (
          <g key={wallet}>
            <title>{`${number}: ${shortened(wallet)}`}</title>
            <circle
              cx={x * SIZE}
              cy={y * SIZE}
              r={RADIUS}
              className="fill-surface stroke-accent"
              strokeWidth="2"
            />
            <text x={x * SIZE} y={y * SIZE} dy="4" textAnchor="middle" className="fill-text text-xs">
              {number}
            </text>
          </g>
        ))}
      </svg>
      <figcaption className="pt-2 text-center text-xs text-faint">
        {wallets.length > MOST_NODES && `The first ${MOST_NODES} wallets. `}A thicker line is stronger
        evidence.
      </figcaption>
    </figure>
  );
}

/** A kind of evidence in words. */
export const kindText = (kind: string): string => kind.replaceAll('_', ' ');
