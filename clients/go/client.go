package plimsoll

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// LocalURL is where npm start serves the API.
const LocalURL = "http://127.0.0.1:4000"

const (
	defaultTimeout    = 30 * time.Second
	defaultMaxRetries = 3
)

// Client has one method for each endpoint, by resource. Goroutines may share it.
type Client struct {
	resources
}

type settings struct {
	baseURL    string
	httpClient *http.Client
	call       callSettings
}

type callSettings struct {
	timeout        time.Duration
	maxRetries     int
	idempotencyKey string
	headers        http.Header
}

// Option changes a setting of the client.
type Option interface{ applyToClient(*settings) }

// CallOption changes a setting of one call.
type CallOption interface{ applyToCall(*callSettings) }

type clientOption func(*settings)

func (o clientOption) applyToClient(s *settings) { o(s) }

type callOption func(*callSettings)

func (o callOption) applyToCall(s *callSettings) { o(s) }

// CommonOption is for the client or for one call.
type CommonOption func(*callSettings)

func (o CommonOption) applyToClient(s *settings)   { o(&s.call) }
func (o CommonOption) applyToCall(s *callSettings) { o(s) }

// WithBaseURL sets the address of the API, with or without /v1. The default is LocalURL.
func WithBaseURL(address string) Option {
	return clientOption(func(s *settings) { s.baseURL = address })
}

// WithHTTPClient sends requests with this client. Its Timeout applies beside that of WithTimeout.
func WithHTTPClient(client *http.Client) Option {
	return clientOption(func(s *settings) { s.httpClient = client })
}

// WithTimeout is the deadline of each attempt, with its body. The default is 30 seconds.
func WithTimeout(timeout time.Duration) CommonOption {
	return func(s *callSettings) { s.timeout = timeout }
}

// WithMaxRetries is the number of attempts after the first. The default is 3.
func WithMaxRetries(most int) CommonOption {
	return func(s *callSettings) { s.maxRetries = most }
}

// WithIdempotencyKey makes a write of an earlier run the same write. The default is a random key for each call.
func WithIdempotencyKey(key string) CallOption {
	return callOption(func(s *callSettings) { s.idempotencyKey = key })
}

// WithHeader adds a header to the request, such as X-Request-Id.
func WithHeader(name, value string) CallOption {
	return callOption(func(s *callSettings) {
		s.headers = s.headers.Clone()
		if s.headers == nil {
			s.headers = http.Header{}
		}
		s.headers.Set(name, value)
	})
}

var suffix = regexp.MustCompile(`(/v1)?/*$`)

// New returns a client.
func New(apiKey string, options ...Option) (*Client, error) {
	if apiKey == "" {
		return nil, errors.New("the API key is missing. Create one in the portal or with POST /account/v1/keys")
	}
	s := settings{baseURL: LocalURL, call: callSettings{timeout: defaultTimeout, maxRetries: defaultMaxRetries}}
	for _, option := range options {
		option.applyToClient(&s)
	}
	address, err := url.Parse(s.baseURL)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return nil, errors.New("the base URL is no address of an API. Use https://… or http://…")
	}
	client := http.Client{}
	if s.httpClient != nil {
		client = *s.httpClient
	}
	// A redirect would carry the key to another address. The API has none.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{newResources(&transport{
		baseURL: suffix.ReplaceAllString(s.baseURL, ""),
		apiKey:  apiKey,
		client:  &client,
		call:    s.call,
	})}, nil
}

// Ptr returns a pointer to a value, for fields that may be absent.
func Ptr[T any](value T) *T { return &value }
