package plimsoll

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"
)

// The rules are those of the TypeScript SDK.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 8 * time.Second
	// A server may ask for a longer wait than other retries have, up to this.
	longestStatedWait = time.Minute
)

func isRetried(status int) bool {
	switch status {
	case 408, 429, 500, 502, 503, 504:
		return true
	}
	return false
}

// waitAfter returns the wait before the next attempt, and whether a later attempt can succeed.
// attempt is the number of the attempt that failed, from 1. random is from 0 to 1.
func waitAfter(err error, attempt int, random float64) (time.Duration, bool) {
	var refused *APIError
	var connection *ConnectionError
	var timeout *TimeoutError
	switch {
	case errors.As(err, &refused):
		if !isRetried(refused.Status) {
			return 0, false
		}
		return waitBefore(attempt, refused.RetryAfter, random)
	case errors.As(err, &connection), errors.As(err, &timeout):
		return waitBefore(attempt, nil, random)
	}
	return 0, false
}

func waitBefore(attempt int, stated *time.Duration, random float64) (time.Duration, bool) {
	if stated != nil && *stated > longestStatedWait {
		return 0, false
	}
	most := min(float64(longestWait), float64(firstWait)*math.Pow(2, float64(attempt-1)))
	// Between half and all of it, so that clients which failed together do not return together.
	own := time.Duration(most * (0.5 + random/2))
	if stated == nil {
		return own, true
	}
	// A stated moment is when the limit is free again. A little later is safe for clocks that differ.
	return *stated + own/4, true
}

// statedWait returns the time until a retry can succeed, from Retry-After or the end of the window of the limit.
// It is nil when neither states it.
func statedWait(status int, header http.Header, now time.Time) *time.Duration {
	after := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(after, 64); err == nil && !math.IsNaN(seconds) && !math.IsInf(seconds, 0) {
		// A longer wait is not waited for, and would not fit into a Duration.
		seconds = min(seconds, 2*86_400)
		return Ptr(max(0, time.Duration(seconds*float64(time.Second))))
	}
	if at, err := http.ParseTime(after); err == nil {
		return Ptr(max(0, at.Sub(now)))
	}
	if status != http.StatusTooManyRequests {
		return nil
	}
	at, err := time.Parse(time.RFC3339, header.Get("X-RateLimit-Reset"))
	if err != nil {
		return nil
	}
	return Ptr(max(0, at.Sub(now)))
}
