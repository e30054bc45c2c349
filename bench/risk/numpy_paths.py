"""The same question in vectorised numpy: three correlated collaterals against a stable debt, daily steps.

The first line it reads is {"days", "weights", "debt", "drift", "covariance"}; it answers {"version"}. Each line after that is
{"estimator", "paths", "runs"}; it runs the estimator as often, once more before, and answers with the median {"cpuMs"}. `daily` looks once a day, `bridge` adds the
Brownian-bridge touch between the days.
"""
import json
import sys
import time

import numpy as np

task = json.loads(sys.stdin.readline())
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


print(json.dumps({"version": np.__version__}), flush=True)
estimators = {"daily": daily, "bridge": bridge}
for line in sys.stdin:
    order = json.loads(line)
    estimate = estimators[order["estimator"]]
    estimate(order["paths"])
    times = []
    for _ in range(order["runs"]):
        start = time.process_time()
        estimate(order["paths"])
        times.append((time.process_time() - start) * 1000)
    print(json.dumps({"cpuMs": sorted(times)[len(times) // 2]}), flush=True)
