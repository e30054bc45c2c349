package plimsoll

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"testing"
	"time"
)

type webhookVector struct {
	Name              string
	BodyBase64        string
	Headers           map[string]string
	Secrets           []string
	ToleranceSeconds  *int64
	AcceptWithoutTime bool
	Code              *string
}

type vectors struct {
	NowMs       int64
	Webhooks    []webhookVector
	StatedWaits []struct {
		Status  int
		Headers map[string]string
		WaitMs  *float64
	}
	Waits []struct {
		Attempt  int
		StatedMs *float64
		Random   float64
		WaitMs   *float64
	}
}

// readVectors reads what every client must decide in the same way. The build writes it.
func readVectors(t *testing.T) vectors {
	t.Helper()
	text, err := os.ReadFile("../vectors/vectors.json")
	if err != nil {
		t.Fatalf("%v. Run npm run build.", err)
	}
	var read vectors
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func headerFrom(given map[string]string) http.Header {
	header := http.Header{}
	for name, value := range given {
		header.Set(name, value)
	}
	return header
}

func TestWebhookVectors(t *testing.T) {
	all := readVectors(t)
	if len(all.Webhooks) < 40 {
		t.Fatalf("%d vectors are too few", len(all.Webhooks))
	}
	for _, vector := range all.Webhooks {
		t.Run(vector.Name, func(t *testing.T) {
			body, err := base64.StdEncoding.DecodeString(vector.BodyBase64)
			if err != nil {
				t.Fatal(err)
			}
			options := []VerifyOption{WithNow(time.UnixMilli(all.NowMs))}
			if vector.ToleranceSeconds != nil {
				options = append(options, WithTolerance(time.Duration(*vector.ToleranceSeconds)*time.Second))
			}
			if vector.AcceptWithoutTime {
				options = append(options, AcceptWithoutTime())
			}
			event, err := VerifyWebhook(body, headerFrom(vector.Headers), vector.Secrets, options...)
			if vector.Code == nil {
				if err != nil || event.Event == "" {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			var refused *WebhookVerificationError
			if !errors.As(err, &refused) || refused.Code != *vector.Code || event != nil {
				t.Fatalf("%v instead of %s", err, *vector.Code)
			}
		})
	}
}

func TestEventHasTheTypeOfItsName(t *testing.T) {
	all := readVectors(t)
	for _, vector := range all.Webhooks {
		if vector.Code != nil || vector.ToleranceSeconds != nil || vector.AcceptWithoutTime {
			continue
		}
		body, _ := base64.StdEncoding.DecodeString(vector.BodyBase64)
		event, err := VerifyWebhook(body, headerFrom(vector.Headers), vector.Secrets, WithNow(time.UnixMilli(all.NowMs)))
		if err != nil {
			t.Fatal(err)
		}
		ping, isPing := event.Value.(*TestPingEvent)
		if isPing != (event.Event == "test.ping") || (isPing && ping.EventID != event.EventID) {
			t.Errorf("%s is a %T", event.Event, event.Value)
		}
		if string(event.Raw) != string(body) {
			t.Error("Raw is not the body")
		}
	}
}

func asMs(wait time.Duration) float64 { return float64(wait) / float64(time.Millisecond) }

func TestStatedWaits(t *testing.T) {
	all := readVectors(t)
	for _, vector := range all.StatedWaits {
		wait := statedWait(vector.Status, headerFrom(vector.Headers), time.UnixMilli(all.NowMs))
		if (wait == nil) != (vector.WaitMs == nil) || (wait != nil && asMs(*wait) != *vector.WaitMs) {
			t.Errorf("%d with %v states %v", vector.Status, vector.Headers, wait)
		}
	}
}

func TestWaitsGrowAndHaveJitter(t *testing.T) {
	for _, vector := range readVectors(t).Waits {
		var stated *time.Duration
		if vector.StatedMs != nil {
			stated = Ptr(time.Duration(*vector.StatedMs * float64(time.Millisecond)))
		}
		wait, again := waitBefore(vector.Attempt, stated, vector.Random)
		if again != (vector.WaitMs != nil) || (again && asMs(wait) != *vector.WaitMs) {
			t.Errorf("attempt %d waits %v, %v", vector.Attempt, wait, again)
		}
	}
}

func TestRetriedStatuses(t *testing.T) {
	for status := 200; status < 600; status++ {
		_, again := waitAfter(&APIError{Status: status}, 1, 0)
		want := status == 408 || status == 429 || (status >= 500 && status <= 504 && status != 501)
		if again != want {
			t.Errorf("%d: %v", status, again)
		}
	}
	if _, again := waitAfter(errors.New("another error"), 1, 0); again {
		t.Error("an unknown error is retried")
	}
}
