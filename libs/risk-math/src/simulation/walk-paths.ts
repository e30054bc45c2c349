import { ScrambledSobol } from '../random/scrambled-sobol';
import { bridgeNodes, fillNode } from './brownian-bridge';
import { healthKernel, type KernelModel } from './health-kernels';
import { BLOCK_PATHS, pathBlock, type PathBlock } from './path-block';
import { stopIfCancelled, type SimulationOptions } from './simulation';

/** Receives every path of a simulation, block by block and day by day. */
export interface PathObserver {
  /** The block starts at today's prices. */
  start(block: PathBlock, count: number): void;
  /** The block has moved to the end of this day, counted from 1. */
  step(block: PathBlock, day: number, count: number): void;
  /** The block has reached the horizon. */
  finish(count: number): void;
}

/**
 * Walks all paths over the horizon in daily steps: scrambled Sobol points, the factors' paths built in bridge order, all
 * factors of a node before the next node.
 */
export function walkPaths(model: KernelModel, options: SimulationOptions, observer: PathObserver): void {
  const { horizonDays: days, paths, seed } = options;
  const size = model.drift.length;
  const kernel = healthKernel(model);
  const nodes = bridgeNodes(days);
  const sobol = new ScrambledSobol(size * days, paths, BLOCK_PATHS, seed);
  const block = pathBlock(size, size, days);
  const normals = new Float64Array(BLOCK_PATHS);
  for (let first = 0; first < paths; first += BLOCK_PATHS) {
    stopIfCancelled(options);
    const count = Math.min(BLOCK_PATHS, paths - first);
    sobol.nextBlock(count);
    for (const [order, node] of nodes.entries()) {
      for (let f = 0; f < size; f += 1) {
        sobol.fillNormals(order * size + f, normals);
        fillNode(node, normals, block.factors[f]!, BLOCK_PATHS, count);
      }
    }
    kernel(block, 0, count);
    observer.start(block, count);
    for (let day = 1; day <= days; day += 1) {
      kernel(block, day, count);
      observer.step(block, day, count);
    }
    observer.finish(count);
  }
}
