//go:build platform

// The client against a running platform, with faults in between. npm run tool -- go-client starts the platform, which
// PLIMSOLL_URL, PLIMSOLL_API_KEY (enterprise) and WALLET name.
package plimsoll

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// faults fails requests on demand, in front of the transport that reaches the platform.
type faults struct {
	sync.Mutex
	next      []string
	forwarded []string
	keys      []string
}

func (f *faults) RoundTrip(request *http.Request) (*http.Response, error) {
	f.Lock()
	fault := ""
	if len(f.next) > 0 {
		fault, f.next = f.next[0], f.next[1:]
	}
	f.Unlock()
	made := func(status int, header http.Header, body io.Reader) *http.Response {
		return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(body), Request: request}
	}
	reset := &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	switch fault {
	case "reset":
		return nil, reset
	case "stall":
		<-request.Context().Done()
		return nil, request.Context().Err()
	case "bad-gateway":
		return made(502, http.Header{}, strings.NewReader("<h1>Bad gateway</h1>")), nil
	case "limited":
		return made(429, http.Header{"Retry-After": {"0"}}, strings.NewReader("{}")), nil
	}
	f.Lock()
	f.forwarded = append(f.forwarded, request.Method+" "+request.URL.Path)
	f.keys = append(f.keys, request.Header.Get("Idempotency-Key"))
	f.Unlock()
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil || fault == "" {
		return response, err
	}
	content, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return nil, err
	}
	half := content[:len(content)/2]
	switch fault {
	case "reset-after":
		return nil, reset
	case "truncated":
		return made(response.StatusCode, response.Header, bytes.NewReader(half)), nil
	case "cut":
		return made(response.StatusCode, response.Header, io.MultiReader(bytes.NewReader(half), failing{})), nil
	}
	return nil, errors.New("unknown fault " + fault)
}

// failing is the rest of a body whose connection ended.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func variable(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set. Run npm run tool -- go-client.", name)
	}
	return value
}

func newClient(t *testing.T, next ...string) (*Client, *faults) {
	t.Helper()
	between := &faults{next: next}
	client, err := New(
		variable(t, "PLIMSOLL_API_KEY"),
		WithBaseURL(variable(t, "PLIMSOLL_URL")),
		WithHTTPClient(&http.Client{Transport: between}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return client, between
}

type received struct {
	body   []byte
	header http.Header
}

// startReceiver receives webhooks on loopback.
func startReceiver(t *testing.T) (string, <-chan received) {
	t.Helper()
	requests := make(chan received, 16)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests <- received{body, r.Header}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/hook", requests
}

func createWebhook(t *testing.T, client *Client, url string) CreatedWebhookWebhook {
	t.Helper()
	created, err := client.Webhooks.Create(t.Context(), CreateWebhookBody{
		URL: url, Events: []WebhookEventType{WebhookEventTypeTestPing},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := client.Webhooks.Delete(context.Background(), created.Webhook.ID); err != nil {
			t.Error(err)
		}
	})
	return created.Webhook
}

func TestReadsAPositionWithExactAmounts(t *testing.T) {
	client, _ := newClient(t)
	wallet := variable(t, "WALLET")
	found, err := client.Positions.List(PositionsListParams{Wallet: wallet}).Take(t.Context(), 1)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	position, err := client.Positions.Get(t.Context(), found[0].ID, PositionsGetParams{})
	if err != nil {
		t.Fatal(err)
	}
	if position.Wallet != wallet || position.HealthFactor == nil || position.HealthFactorRaw == nil {
		t.Fatalf("%+v", position)
	}
	raw, _ := position.HealthFactorRaw.Int().Float64()
	if ratio := raw / 1e18 / *position.HealthFactor; ratio < 1-1e-9 || ratio > 1+1e-9 {
		t.Errorf("%v is not %v", position.HealthFactorRaw, *position.HealthFactor)
	}
	if time.Since(position.UpdatedAt) > time.Hour || len(position.CollateralAssets) == 0 {
		t.Errorf("%+v", position)
	}
}

func TestReadsEveryItemOverPagesOfAnySize(t *testing.T) {
	client, between := newClient(t)
	ids := func(limit int64) (found []int64) {
		for chain, err := range client.Chains.List(ChainsListParams{Limit: limit}).All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, chain.ID)
		}
		return found
	}
	whole := ids(100)
	between.forwarded = nil
	if parts := ids(3); !slices.Equal(parts, whole) || len(whole) < 4 {
		t.Errorf("%v instead of %v", parts, whole)
	}
	if want := (len(whole) + 2) / 3; len(between.forwarded) != want {
		t.Errorf("%d pages instead of %d", len(between.forwarded), want)
	}
	for page, err := range client.Chains.List(ChainsListParams{Limit: 3}).Pages(t.Context()) {
		if err != nil || len(page.Chains) != 3 {
			t.Errorf("%+v, %v", page, err)
		}
		break
	}
	none, err := client.Chains.List(ChainsListParams{}).Take(t.Context(), 0)
	if err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}

func TestSendsARequestAgainAfterAFault(t *testing.T) {
	for _, fault := range []string{"reset", "reset-after", "truncated", "cut", "bad-gateway", "limited"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			client, between := newClient(t, fault, fault)
			page, err := client.Chains.List(ChainsListParams{Limit: 2}).First(t.Context())
			if err != nil || len(page.Chains) != 2 || len(between.next) != 0 {
				t.Errorf("%+v, %v", page, err)
			}
		})
	}
}

func TestAWriteWhoseResponseWasLostHappensOnce(t *testing.T) {
	client, between := newClient(t)
	url, _ := startReceiver(t)
	between.next = []string{"reset-after", "truncated", "cut"}
	created := createWebhook(t, client, url)
	if want := slices.Repeat([]string{"POST /v1/webhooks"}, 4); !slices.Equal(between.forwarded, want) {
		t.Errorf("%v", between.forwarded)
	}
	if len(slices.Compact(slices.Clone(between.keys))) != 1 || between.keys[0] == "" {
		t.Errorf("the attempts have the keys %v", between.keys)
	}
	var same []string
	for webhook, err := range client.Webhooks.List(WebhooksListParams{}).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if webhook.URL == url {
			same = append(same, webhook.ID)
		}
	}
	if !slices.Equal(same, []string{created.ID}) {
		t.Errorf("%v", same)
	}
}

func TestTheSameIdempotencyKeyIsTheSameWrite(t *testing.T) {
	client, _ := newClient(t)
	url, _ := startReceiver(t)
	body := CreateWebhookBody{URL: url, Events: []WebhookEventType{WebhookEventTypeTestPing}}
	var ids []string
	for range 2 {
		created, err := client.Webhooks.Create(t.Context(), body, WithIdempotencyKey(t.Name()+url))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, created.Webhook.ID)
	}
	if ids[0] != ids[1] {
		t.Errorf("%v", ids)
	}
	body.ChainIDs = []int64{1}
	_, err := client.Webhooks.Create(t.Context(), body, WithIdempotencyKey(t.Name()+url))
	var refused *APIError
	if !errors.As(err, &refused) || refused.Code != CodeIdempotencyMismatch {
		t.Error(err)
	}
	if _, err := client.Webhooks.Delete(t.Context(), ids[0]); err != nil {
		t.Error(err)
	}
}

func TestEndsWithATypedErrorWhenEveryAttemptFails(t *testing.T) {
	ctx := t.Context()
	client, between := newClient(t, "reset", "reset")
	_, err := client.Service.Status(ctx, ServiceStatusParams{}, WithMaxRetries(1))
	var connection *ConnectionError
	if !errors.As(err, &connection) || !errors.Is(err, syscall.ECONNRESET) || len(between.next) != 0 {
		t.Error(err)
	}
	client, _ = newClient(t, "stall", "stall")
	_, err = client.Service.Status(ctx, ServiceStatusParams{}, WithMaxRetries(1), WithTimeout(50*time.Millisecond))
	var timeout *TimeoutError
	if !errors.As(err, &timeout) || timeout.After != 50*time.Millisecond {
		t.Error(err)
	}
	client, _ = newClient(t, "bad-gateway", "bad-gateway")
	_, err = client.Service.Status(ctx, ServiceStatusParams{}, WithMaxRetries(1))
	var refused *APIError
	if !errors.As(err, &refused) || refused.Status != 502 || refused.Code != "http_502" {
		t.Error(err)
	}
}

func TestStopsWithItsContext(t *testing.T) {
	client, between := newClient(t, "stall")
	ctx, cancel := context.WithCancelCause(t.Context())
	left := errors.New("the user left")
	go func() {
		// The request has arrived when its fault is taken.
		for {
			between.Lock()
			taken := len(between.next) == 0
			between.Unlock()
			if taken {
				cancel(left)
				return
			}
		}
	}()
	if _, err := client.Service.Status(ctx, ServiceStatusParams{}); !errors.Is(err, left) {
		t.Error(err)
	}
}

func TestStatesCodeFieldRequestAndRemedyAndDoesNotRepeat(t *testing.T) {
	client, between := newClient(t)
	_, err := client.Simulate.MonteCarlo(t.Context(), MonteCarloBody{
		PositionID: "pos_0000000000000000000000", Iterations: -1, HorizonDays: 30,
	}, WithHeader("X-Request-Id", "go-client"))
	var refused *APIError
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	if refused.Status != 400 || refused.Code != CodeInvalidRequest || refused.Field() != "iterations" {
		t.Errorf("%+v", refused)
	}
	if refused.RequestID != "go-client" || !strings.Contains(refused.Remedy, "iterations") {
		t.Errorf("%+v", refused)
	}
	if len(between.forwarded) != 1 {
		t.Errorf("%v", between.forwarded)
	}
}

func TestAWrongKeyIsRefused(t *testing.T) {
	client, err := New("pk_wrong", WithBaseURL(variable(t, "PLIMSOLL_URL")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Service.Usage(t.Context(), ServiceUsageParams{})
	var refused *APIError
	if !errors.As(err, &refused) || refused.Code != CodeInvalidAPIKey || refused.Status != 401 {
		t.Error(err)
	}
}

func TestAWebhookOfThePlatformIsGenuine(t *testing.T) {
	client, _ := newClient(t)
	url, requests := startReceiver(t)
	webhook := createWebhook(t, client, url)
	test, err := client.Webhooks.Test(t.Context(), webhook.ID, TestWebhookBody{})
	if err != nil || !test.Success {
		t.Fatalf("%+v, %v", test, err)
	}
	request := <-requests
	event, err := VerifyWebhook(request.body, request.header, []string{webhook.Secret})
	if err != nil {
		t.Fatal(err)
	}
	if ping, ok := event.Value.(*TestPingEvent); !ok || ping.WebhookID != webhook.ID {
		t.Errorf("%+v", event)
	}
	_, err = VerifyWebhook(append(request.body, ' '), request.header, []string{webhook.Secret})
	var refused *WebhookVerificationError
	if !errors.As(err, &refused) || refused.Code != "signature_wrong" {
		t.Error(err)
	}
	// During a rotation, a request has the signatures of both secrets.
	rotated, err := client.Webhooks.RotateSecret(t.Context(), webhook.ID, RotateSecretBody{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Webhooks.Test(t.Context(), webhook.ID, TestWebhookBody{}); err != nil {
		t.Fatal(err)
	}
	request = <-requests
	for _, secret := range []string{webhook.Secret, *rotated.Webhook.Secret} {
		if _, err := VerifyWebhook(request.body, request.header, []string{secret}); err != nil {
			t.Error(err)
		}
	}
	request.header.Del("Webhook-Signature")
	for _, secret := range []string{webhook.Secret, *rotated.Webhook.Secret} {
		if _, err := VerifyWebhook(request.body, request.header, []string{secret}, AcceptWithoutTime()); err != nil {
			t.Error(err)
		}
	}
}

func TestTakesTheTimesOfGo(t *testing.T) {
	client, _ := newClient(t)
	url, _ := startReceiver(t)
	webhook := createWebhook(t, client, url)
	if _, err := client.Webhooks.Recover(t.Context(), webhook.ID, RecoverDeliveriesBody{Since: time.Now().Add(-time.Hour)}); err != nil {
		t.Error(err)
	}
}
