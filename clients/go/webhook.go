package plimsoll

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	defaultTolerance = 5 * time.Minute
	secretPrefix     = "whsec_"
)

// WebhookEvent is the event of a webhook request.
type WebhookEvent struct {
	Event     string `json:"event"`
	EventID   string `json:"eventId"`
	WebhookID string `json:"webhookId"`
	// Timestamp is when the event was created.
	Timestamp string `json:"timestamp"`
	// Value is a pointer to the type of the event, such as *AlertCreatedEvent. It is nil for an event of a later
	// release.
	Value any `json:"-"`
	// Raw is the body.
	Raw json.RawMessage `json:"-"`
}

// WebhookVerificationError states why a webhook request is not genuine. Code is stable: signature_missing,
// signature_wrong, timestamp_missing, timestamp_invalid, timestamp_too_old, timestamp_in_future, body_invalid or
// secret_invalid.
type WebhookVerificationError struct {
	Code    string
	Message string
}

func (e *WebhookVerificationError) Error() string { return e.Message }

type verification struct {
	tolerance    time.Duration
	acceptNoTime bool
	now          time.Time
}

// VerifyOption changes how VerifyWebhook decides.
type VerifyOption func(*verification)

// WithTolerance is the largest difference between the time of the request and the clock. The default is 5 minutes.
func WithTolerance(tolerance time.Duration) VerifyOption {
	return func(v *verification) { v.tolerance = tolerance }
}

// AcceptWithoutTime accepts a request that has only X-Service-Signature. That scheme signs no time, so a request
// that someone recorded passes whenever it is sent again.
func AcceptWithoutTime() VerifyOption {
	return func(v *verification) { v.acceptNoTime = true }
}

// WithNow replaces the clock.
func WithNow(now time.Time) VerifyOption {
	return func(v *verification) { v.now = now }
}

var seconds = regexp.MustCompile(`^[0-9]{1,12}$`)

// VerifyWebhook verifies that Plimsoll sent a webhook request, and returns its event. rawBody are the bytes as they
// arrived, before any JSON parser. secrets has the signing secret of the endpoint, or several while a rotation
// overlaps. The error is a *WebhookVerificationError.
func VerifyWebhook(rawBody []byte, header http.Header, secrets []string, options ...VerifyOption) (*WebhookEvent, error) {
	v := verification{tolerance: defaultTolerance, now: time.Now()}
	for _, option := range options {
		option(&v)
	}
	if err := v.verify(rawBody, header, secrets); err != nil {
		return nil, err
	}
	return eventOf(rawBody)
}

func (v verification) verify(rawBody []byte, header http.Header, secrets []string) error {
	standard, hasStandard := headerOf(header, "Webhook-Signature")
	id, hasID := headerOf(header, "Webhook-Id")
	timestamp, hasTimestamp := headerOf(header, "Webhook-Timestamp")
	var simple [][]byte
	hasSimple := false
	for _, name := range []string{"X-Service-Signature", "X-Service-Signature-Next"} {
		if text, has := headerOf(header, name); has {
			hasSimple = true
			simple = append(simple, fromHex(text))
		}
	}
	// The standard scheme also signs the time, so a recorded request cannot be sent again later. It decides whenever
	// it is there. Plimsoll always sends it, so an attacker could have removed it from a request without it.
	if hasStandard && hasID && hasTimestamp {
		if err := v.checkTime(timestamp); err != nil {
			return err
		}
		keys, err := standardKeys(secrets)
		if err != nil {
			return err
		}
		var given [][]byte
		for _, part := range strings.Split(standard, " ") {
			if text, isFirst := strings.CutPrefix(part, "v1,"); isFirst {
				given = append(given, fromBase64(text))
			}
		}
		return requireOne(keys, append([]byte(id+"."+timestamp+"."), rawBody...), given)
	}
	if !hasSimple {
		return &WebhookVerificationError{
			"signature_missing",
			"The request has no signature header. Pass the headers of the request as they arrived.",
		}
	}
	if _, err := standardKeys(secrets); err != nil {
		return err
	}
	keys := make([][]byte, len(secrets))
	for at, secret := range secrets {
		keys[at] = []byte(secret)
	}
	if err := requireOne(keys, rawBody, simple); err != nil {
		return err
	}
	if !v.acceptNoTime {
		return &WebhookVerificationError{
			"timestamp_missing",
			"The request has no webhook-signature, so its time is unknown. Pass all headers of the request.",
		}
	}
	return nil
}

func (v verification) checkTime(timestamp string) error {
	if !seconds.MatchString(timestamp) {
		return &WebhookVerificationError{"timestamp_invalid", "webhook-timestamp is no number of seconds."}
	}
	unix, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return &WebhookVerificationError{"timestamp_invalid", "webhook-timestamp is no number of seconds."}
	}
	age := v.now.Sub(time.Unix(unix, 0))
	if age > v.tolerance {
		return &WebhookVerificationError{"timestamp_too_old", fmt.Sprintf("The request is %.0f s old.", age.Seconds())}
	}
	if age < -v.tolerance {
		return &WebhookVerificationError{
			"timestamp_in_future",
			fmt.Sprintf("The request is %.0f s in the future. Check the clock of this machine.", -age.Seconds()),
		}
	}
	return nil
}

// headerOf returns the values of a header, and whether it is there.
func headerOf(header http.Header, name string) (string, bool) {
	values := header.Values(name)
	return strings.Join(values, " "), len(values) > 0
}

// requireOne compares in constant time.
func requireOne(keys [][]byte, signed []byte, signatures [][]byte) error {
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		expected := mac.Sum(nil)
		for _, signature := range signatures {
			if hmac.Equal(expected, signature) {
				return nil
			}
		}
	}
	return &WebhookVerificationError{
		"signature_wrong",
		"No signature matches. Pass the bytes of the body before any JSON parser, and the secret of this endpoint.",
	}
}

func standardKeys(secrets []string) ([][]byte, error) {
	keys := make([][]byte, len(secrets))
	for at, secret := range secrets {
		text, hasPrefix := strings.CutPrefix(secret, secretPrefix)
		if keys[at] = fromBase64(text); !hasPrefix || len(keys[at]) == 0 {
			return nil, &WebhookVerificationError{"secret_invalid", "A signing secret is whsec_ and base64."}
		}
	}
	return keys, nil
}

// fromBase64 returns nil for text that is no base64. The decoder itself would skip line ends.
func fromBase64(text string) []byte {
	if strings.ContainsAny(text, "\r\n") {
		return nil
	}
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return decoded
}

// fromHex returns nil for text that is no hexadecimal number in lower case.
func fromHex(text string) []byte {
	decoded, err := hex.DecodeString(text)
	if err != nil || text != strings.ToLower(text) {
		return nil
	}
	return decoded
}

func eventOf(rawBody []byte) (*WebhookEvent, error) {
	var named struct {
		Event *string `json:"event"`
	}
	event := &WebhookEvent{Raw: append(json.RawMessage{}, rawBody...)}
	if json.Unmarshal(rawBody, &named) != nil || named.Event == nil || json.Unmarshal(rawBody, event) != nil {
		return nil, &WebhookVerificationError{"body_invalid", "The signed body is no event."}
	}
	// A later release may send another form of an event, which is then only in Raw.
	if value := newEvent(event.Event); value != nil && json.Unmarshal(rawBody, value) == nil {
		event.Value = value
	}
	return event, nil
}
