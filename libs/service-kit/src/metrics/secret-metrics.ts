import { Gauge, register } from 'prom-client';

/** Whether the file of a variable with keys has changed to something that the service cannot use. */
export function secretKeysRejected(): Gauge {
  const existing = register.getSingleMetric('secret_keys_rejected') as Gauge | undefined;
  return (
    existing ??
    new Gauge({
      name: 'secret_keys_rejected',
      help: '1 while the changed file of a variable with keys is wrong, and the former keys stay',
      labelNames: ['variable'],
    })
  );
}

/** The keys of an instance. All instances must have a new key before one seals with it. */
export function secretKeysKnown(): Gauge {
  const existing = register.getSingleMetric('secret_key_known') as Gauge | undefined;
  return (
    existing ??
    new Gauge({
      name: 'secret_key_known',
      help: '1 for each key that this instance opens secrets with; seals: whether it also seals with it',
      labelNames: ['variable', 'key', 'seals'],
    })
  );
}
