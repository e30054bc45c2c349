package plimsoll

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// APIError is an error response of the API. Code is stable, and texts may change.
type APIError struct {
	Status int
	// Code is one of the constants Code…, a later one, or http_ and the status when a proxy responded.
	Code  string
	Title string
	// Remedy is the mistake and the next step, in words.
	Remedy string
	// RequestID names the request in a question to the support.
	RequestID string
	// Fields are the mistakes of a 400.
	Fields []InvalidField
	// RequiredTier allows the request. Empty when the tier is not the reason.
	RequiredTier string
	// UpgradeURL is the page where an account gets that tier.
	UpgradeURL string
	// RetryAfter is the time until a retry can succeed, where the server stated it.
	RetryAfter *time.Duration
}

// InvalidField is one mistake of a request.
type InvalidField struct {
	// Field is the path in the body or the name of the parameter, such as scenarios[0].asset.
	Field string `json:"field"`
	Code  string `json:"code"`
	// Message is the necessary change.
	Message string `json:"message"`
	// Suggestion is the nearest known name or word, when one is similar.
	Suggestion string `json:"suggestion"`
}

func (e *APIError) Error() string {
	text := e.Title
	if e.Remedy != "" {
		text += ": " + e.Remedy
	}
	return text
}

// Field returns the first invalid field, or an empty string.
func (e *APIError) Field() string {
	if len(e.Fields) == 0 {
		return ""
	}
	return e.Fields[0].Field
}

func newAPIError(response *http.Response, content []byte, now time.Time) *APIError {
	var problem struct {
		Code, Title, Detail, RequiredTier, UpgradeURL string
		Errors                                        []InvalidField
	}
	// A proxy in between may send HTML, and then the status is all that is known.
	_ = json.Unmarshal(content, &problem)
	if problem.Code == "" {
		problem.Code = fmt.Sprintf("http_%d", response.StatusCode)
	}
	if problem.Title == "" {
		problem.Title = fmt.Sprintf("HTTP %d", response.StatusCode)
	}
	return &APIError{
		Status:       response.StatusCode,
		Code:         problem.Code,
		Title:        problem.Title,
		Remedy:       problem.Detail,
		RequestID:    response.Header.Get("X-Request-Id"),
		Fields:       problem.Errors,
		RequiredTier: problem.RequiredTier,
		UpgradeURL:   problem.UpgradeURL,
		RetryAfter:   statedWait(response.StatusCode, response.Header, now),
	}
}

// ConnectionError states that no complete response arrived.
type ConnectionError struct {
	Message string
	Err     error
}

func (e *ConnectionError) Error() string { return e.Message }

func (e *ConnectionError) Unwrap() error { return e.Err }

// TimeoutError states that no response arrived in time.
type TimeoutError struct {
	After time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("No response within %s. Raise WithTimeout, or ask for less at once.", e.After)
}
