import { parseArgs } from 'node:util';
import { intake } from './intake';
import type { Scene } from './pairs';
import { answers, scans } from './requests';
import { simulations } from './simulations';
import { slowEndpoints } from './slow-endpoints';
import { slowUploads } from './slow-uploads';

const SCENES: Readonly<Record<string, Scene>> = {
  'slow-endpoints': slowEndpoints,
  'slow-uploads': slowUploads,
  simulations,
  intake,
  scans,
  answers,
};

export const description = `a light account beside heavy ones, in pairs [--scene ${Object.keys(SCENES).join('|')}] [--pairs N] [--seconds N]`;

export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      scene: { type: 'string', default: 'slow-endpoints' },
      pairs: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '6' },
    },
  });
  const scene = SCENES[values.scene];
  if (!scene) throw new Error(`There is no scene ${values.scene}. Use ${Object.keys(SCENES).join(', ')}.`);
  const result = await scene(Number(values.pairs), Number(values.seconds));
  return { bench: 'fairness', scene: values.scene, ...result };
}
