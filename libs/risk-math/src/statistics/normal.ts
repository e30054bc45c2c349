const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);

/** Density of the standard normal distribution. */
export function normalPdf(x: number): number {
  return Math.exp(-0.5 * x * x) / SQRT_TWO_PI;
}

/**
 * Φ(x), the standard normal distribution function. Error: absolute 1e-15, relative 1e-13 down to x = −37, 0 below.
 * Source: J. F. Hart, Computer Approximations (1968), as given by G. West, Better Approximations to Cumulative Normal
 * Functions (2005).
 */
export function normalCdf(x: number): number {
  const z = Math.abs(x);
  if (z > 38) return x > 0 ? 1 : 0;
  const e = Math.exp(-0.5 * z * z);
  let tail: number;
  if (z < 7.07106781186547) {
    const top =
      (((((3.52624965998911e-2 * z + 0.700383064443688) * z + 6.37396220353165) * z + 33.912866078383) * z +
        112.079291497871) *
        z +
        221.213596169931) *
        z +
      220.206867912376;
    const bottom =
      ((((((8.83883476483184e-2 * z + 1.75566716318264) * z + 16.064177579207) * z + 86.7807322029461) * z +
        296.564248779674) *
        z +
        637.333633378831) *
        z +
        793.826512519948) *
        z +
      440.413735824752;
    tail = (e * top) / bottom;
  } else {
    tail = e / (z + 1 / (z + 2 / (z + 3 / (z + 4 / (z + 0.65))))) / SQRT_TWO_PI;
  }
  return x > 0 ? 1 - tail : tail;
}

/**
 * ln Φ(x), also where Φ itself is too small for a double: below −30 the asymptotic series −x²/2 − ln(−x√2π) + ln(1 − 1/x²
 * + 3/x⁴). Error: relative 1e-9.
 */
export function logNormalCdf(x: number): number {
  if (x > -30) return Math.log(normalCdf(x));
  const inverse = 1 / (x * x);
  return -0.5 * x * x - Math.log(-x * SQRT_TWO_PI) + Math.log1p(-inverse + 3 * inverse * inverse);
}

/**
 * Φ⁻¹(p); −∞ at 0, +∞ at 1, NaN outside. Error: relative 1e-15.
 * Source: M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988).
 */
export function normalInverse(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (
      (q *
        (((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r +
          45921.953931549871457) *
          r +
          13731.693765509461125) *
          r +
          1971.5909503065514427) *
          r +
          133.14166789178437745) *
          r +
          3.387132872796366608)) /
      (((((((5226.495278852854561 * r + 28729.085735721942674) * r + 39307.89580009271061) * r +
        21213.794301586595867) *
        r +
        5394.1960214247511077) *
        r +
        687.1870074920579083) *
        r +
        42.313330701600911252) *
        r +
        1)
    );
  }
  return normalInverseTail(p, q);
}

function normalInverseTail(p: number, q: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : NaN;
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const z = r <= 5 ? middleTail(r - 1.6) : farTail(r - 5);
  return q < 0 ? -z : z;
}

function middleTail(r: number): number {
  return (
    (((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r +
      1.27045825245236838258) *
      r +
      3.64784832476320460504) *
      r +
      5.7694972214606914055) *
      r +
      4.6303378461565452959) *
      r +
      1.42343711074968357734) /
    (((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r +
      0.14810397642748007459) *
      r +
      0.68976733498510000455) *
      r +
      1.6763848301838038494) *
      r +
      2.05319162663775882187) *
      r +
      1)
  );
}

function farTail(r: number): number {
  return (
    (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r +
      0.026532189526576123093) *
      r +
      0.29656057182850489123) *
      r +
      1.7848265399172913358) *
      r +
      5.4637849111641143699) *
      r +
      6.6579046435011037772) /
    (((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r +
      7.868691311456132591e-4) *
      r +
      0.0148753612908506148525) *
      r +
      0.13692988092273580531) *
      r +
      0.59983220655588793769) *
      r +
      1)
  );
}
