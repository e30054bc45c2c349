import type { components } from '@plimsoll/sdk';

export type Alert = components['schemas']['AlertItem'];
