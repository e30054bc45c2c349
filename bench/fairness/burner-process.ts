/** CPU time of one step of a scan or a question. */
const BURST_MS = 10;
const IDLE_MS = 5;

/** Uses a share of one core, in bursts. */
const share = Number(process.argv[2]);
const startedAtMs = performance.now();

const usedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function burst(): void {
  if (usedMs() < share * (performance.now() - startedAtMs)) {
    const untilMs = usedMs() + BURST_MS;
    while (usedMs() < untilMs);
  }
  setTimeout(burst, IDLE_MS);
}

burst();
