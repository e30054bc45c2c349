package plimsoll

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

type transport struct {
	baseURL string
	apiKey  string
	client  *http.Client
	call    callSettings
}

// call is a request without its credentials.
type call struct {
	method string
	// route has a {name} for each value of path.
	route               string
	path                []any
	query               url.Values
	body                any
	takesIdempotencyKey bool
}

var segment = regexp.MustCompile(`\{(\w+)\}`)

// url returns path and query.
func (c call) url() (string, error) {
	var missing error
	at := 0
	filled := segment.ReplaceAllStringFunc(c.route, func(name string) string {
		text := fmt.Sprint(c.path[at])
		at++
		// An empty segment would be another route, and the dots are not escaped.
		if text == "" || text == "." || text == ".." {
			missing = fmt.Errorf("%s is missing", strings.Trim(name, "{}"))
		}
		return url.PathEscape(text)
	})
	if query := c.query.Encode(); query != "" {
		filled += "?" + query
	}
	return filled, missing
}

func addValue[T ~string | ~int64 | ~[]string | *float64 | *bool](values url.Values, name string, value T) {
	var text string
	switch given := any(value).(type) {
	case []string:
		text = strings.Join(given, ",")
	case int64:
		if given != 0 {
			text = strconv.FormatInt(given, 10)
		}
	case *float64:
		if given != nil {
			text = strconv.FormatFloat(*given, 'g', -1, 64)
		}
	case *bool:
		if given != nil {
			text = strconv.FormatBool(*given)
		}
	default:
		text = fmt.Sprint(given)
	}
	if text != "" {
		values.Set(name, text)
	}
}

// send sends a request until it succeeds, up to the retries of the call.
func send[R any](ctx context.Context, t *transport, c call, options []CallOption) (*R, error) {
	s := t.call
	for _, option := range options {
		option.applyToCall(&s)
	}
	path, err := c.url()
	if err != nil {
		return nil, err
	}
	var body []byte
	if c.body != nil {
		if body, err = json.Marshal(c.body); err != nil {
			return nil, err
		}
	}
	header := t.header(c, s)
	for attempt := 1; ; attempt++ {
		response, err := attemptOnce[R](ctx, t, c, s, path, header, body)
		if err == nil {
			return response, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		wait, again := waitAfter(err, attempt, mathrand.Float64())
		if !again || attempt > s.maxRetries {
			return nil, err
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (t *transport) header(c call, s callSettings) http.Header {
	header := http.Header{}
	header.Set("Accept", "application/json")
	header.Set("X-Api-Key", t.apiKey)
	if c.body != nil {
		header.Set("Content-Type", "application/json")
	}
	// One key for all attempts, so that a write whose response was lost happens once.
	if c.takesIdempotencyKey {
		key := s.idempotencyKey
		if key == "" {
			key = rand.Text()
		}
		header.Set("Idempotency-Key", key)
	}
	for name, values := range s.headers {
		header[name] = values
	}
	return header
}

// attemptOnce sends the request once. The deadline covers the body too.
func attemptOnce[R any](
	ctx context.Context, t *transport, c call, s callSettings, path string, header http.Header, body []byte,
) (*R, error) {
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, c.method, t.baseURL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = header.Clone()
	response, content, err := exchange(t.client, request)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, &TimeoutError{After: s.timeout}
		}
		return nil, &ConnectionError{Message: t.baseURL + " cannot be reached. Check the URL and the network.", Err: err}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, newAPIError(response, content, time.Now())
	}
	value := new(R)
	if len(content) == 0 {
		return value, nil
	}
	if !json.Valid(content) {
		return nil, &ConnectionError{Message: "The response of " + c.route + " is no complete JSON."}
	}
	if err := json.Unmarshal(content, value); err != nil {
		return nil, fmt.Errorf("the response of %s has another shape than this release knows: %w", c.route, err)
	}
	return value, nil
}

func exchange(client *http.Client, request *http.Request) (*http.Response, []byte, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response, content, err
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
