import path from 'node:path';
import { LogThread } from '../../src/log/thread/log-thread';
import { WORKER } from '../../src/worker-file';

// A process with other work, whose Kafka thread dies.
WORKER.file = path.join(__dirname, 'worker.ts');
const ignore = (): void => undefined;
setInterval(ignore, 1_000);
void new LogThread()
  .reader({
    brokers: [],
    clientId: 'dying-thread',
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    topics: {},
    onEvents: ignore,
  })
  .start();
