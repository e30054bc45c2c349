"""The same question in vectorised numpy: three correlated collaterals against a stable debt, daily steps.

Reads {"paths": [...], "days", "weights", "debt", "drift", "covariance", "repetitions"} and prints, for each number of paths, the
median CPU time in ms of two estimators: `daily` looks once a day, `bridge` adds the Brownian-bridge touch between the days.
"""
import json
import sys
import time

import numpy as np

task = json.load(sys.stdin)
weights, debt, days = np.array(task["weights"]), task["debt"], task["days"]
drift, covariance = np.array(task["drift"]), np.array(task["covariance"])
factor = np.linalg.cholesky(covariance)
rng = np.random.default_rng(1)


def health(paths):
    steps = rng.standard_normal((paths, days, 3)) @ factor.T
    steps += drift
    np.cumsum(steps, axis=1, out=steps)
    np.exp(steps, out=steps)
    steps *= weights
    return steps


def daily(paths):
    return float(((health(paths).sum(axis=2) / debt).min(axis=1) < 1).mean())


def bridge(paths):
    value = health(paths)
    total = value.sum(axis=2)
    g = np.log(total / debt)
    share = value / total[:, :, None]
    variance = ((share @ factor) ** 2).sum(axis=2)
    start = np.full((paths, 1), np.log(weights.sum() / debt))
    before = np.concatenate([start, g[:, :-1]], axis=1)
    touched = np.where((before <= 0) | (g <= 0), 1.0, np.exp(-2 * before * g / variance))
    return float((1 - np.prod(1 - np.minimum(touched, 1), axis=1)).mean())


def median_cpu_ms(estimate, paths):
    estimate(paths)
    times = []
    for _ in range(task["repetitions"] if paths <= 10_000 else 3):
        start = time.process_time()
        estimate(paths)
        times.append((time.process_time() - start) * 1000)
    return sorted(times)[len(times) // 2]


print(
    json.dumps(
        {
            "version": np.__version__,
            "daily": {str(paths): median_cpu_ms(daily, paths) for paths in task["paths"]},
            "bridge": {str(paths): median_cpu_ms(bridge, paths) for paths in task["paths"]},
        }
    )
)
