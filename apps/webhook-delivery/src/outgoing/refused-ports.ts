/**
 * Ports on which other protocols listen. A request there could be read as a command of that protocol.
 * Source: "bad ports" of the Fetch standard (WHATWG), section 2.9.
 */
const PORTS_OF_FETCH = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
];

/**
 * Default ports of databases, caches, message brokers, and search engines. None is in the range from which
 * systems choose ports for local servers (32,768 and above).
 */
const DATABASE_PORTS = [
  1433, 1434, 1521, 1522, 2181, 2483, 2484, 3306, 4222, 5432, 5433, 5671, 5672, 5984, 6379, 6380, 6432, 7199,
  7473, 7474, 7687, 8086, 8123, 9042, 9092, 9093, 9094, 9142, 9160, 9200, 9300, 9440, 11_211, 11_214, 15_672,
  16_379, 26_257, 26_379, 27_017, 27_018, 27_019, 28_015, 28_017,
];

/** Default ports of container engines, schedulers, and service discovery. */
const ORCHESTRATION_PORTS = [
  2375, 2376, 2377, 2379, 2380, 4194, 4646, 4647, 4648, 4789, 6443, 6783, 7946, 8200, 8201, 8300, 8301, 8302,
  8472, 8500, 8501, 8502, 8600, 9099, 10_250, 10_255, 10_256, 10_257, 10_259,
];

const REFUSED_PORTS = new Set([...PORTS_OF_FETCH, ...DATABASE_PORTS, ...ORCHESTRATION_PORTS]);

/** Returns true for a port to which no webhook is sent, whatever its address is. */
export function isRefusedPort(port: number): boolean {
  return REFUSED_PORTS.has(port);
}
