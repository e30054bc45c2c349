package plimsoll

import (
	"encoding/json"
	"math/big"
	"net/http"
	"net/url"
	"testing"
)

func TestNewRefusesWhatIsNoKeyOrAddress(t *testing.T) {
	if _, err := New(""); err == nil {
		t.Error("no key is accepted")
	}
	for _, address := range []string{"", "127.0.0.1:4000", "file:///etc", "/v1"} {
		if _, err := New("key", WithBaseURL(address)); err == nil {
			t.Errorf("%q is accepted", address)
		}
	}
}

func TestBaseURLMayEndInV1(t *testing.T) {
	for _, address := range []string{"http://host:1", "http://host:1/", "http://host:1/v1", "http://host:1/v1/"} {
		client, err := New("key", WithBaseURL(address))
		if err != nil {
			t.Fatal(err)
		}
		if got := client.Positions.transport.baseURL; got != "http://host:1" {
			t.Errorf("%s: %s", address, got)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	own := &http.Client{}
	client, err := New("key", WithHTTPClient(own))
	if err != nil {
		t.Fatal(err)
	}
	if client.Positions.transport.client.CheckRedirect(nil, nil) != http.ErrUseLastResponse {
		t.Error("a redirect carries the key to another address")
	}
	if own.CheckRedirect != nil {
		t.Error("the client of the caller is changed")
	}
}

func TestPathIsEscapedAndNeverEmpty(t *testing.T) {
	route := call{route: "/v1/positions/{id}/risk-score", path: []any{"a/b?c"}}
	if got, err := route.url(); err != nil || got != "/v1/positions/a%2Fb%3Fc/risk-score" {
		t.Errorf("%s, %v", got, err)
	}
	for _, value := range []string{"", ".", ".."} {
		route.path = []any{value}
		if got, err := route.url(); err == nil {
			t.Errorf("%q is the route %s", value, got)
		}
	}
}

func TestQueryHasOnlyWhatIsSet(t *testing.T) {
	if got := (PositionsListParams{}).values(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	params := PositionsListParams{Wallet: "a,b", ChainID: 1, MaxHealthFactor: Ptr(0.0), MinDebtUSD: Ptr(1e21), RiskLevel: "high", Limit: 3}
	want := url.Values{
		"wallet": {"a,b"}, "chainId": {"1"}, "maxHealthFactor": {"0"}, "minDebtUsd": {"1e+21"}, "riskLevel": {"high"}, "limit": {"3"},
	}
	if got := params.values(); got.Encode() != want.Encode() {
		t.Errorf("%v", got)
	}
}

func TestBodyHasOnlyWhatIsSet(t *testing.T) {
	for want, body := range map[string]UpdateWebhookBody{
		`{}`:                  {},
		`{"severities":[]}`:   {Severities: []Severity{}},
		`{"isEnabled":false}`: {IsEnabled: Ptr(false)},
	} {
		if got, err := json.Marshal(body); err != nil || string(got) != want {
			t.Errorf("%s instead of %s, %v", got, want, err)
		}
	}
}

func TestAmountsAreExact(t *testing.T) {
	most := new(big.Int).Lsh(big.NewInt(1), 256)
	text, err := json.Marshal(NewAmount(most))
	if err != nil {
		t.Fatal(err)
	}
	var read Amount
	if err := json.Unmarshal(text, &read); err != nil || read.Int().Cmp(most) != 0 {
		t.Errorf("%s, %v", read, err)
	}
	for _, wrong := range []string{`1`, `""`, `"1.5"`, `"0x1"`, `"1_0"`, `" 1"`, `"+1"`, `"-"`, `{}`} {
		if json.Unmarshal([]byte(wrong), &read) == nil {
			t.Errorf("%s is an amount", wrong)
		}
	}
	if (Amount{}).String() != "0" {
		t.Error("the empty amount is not 0")
	}
}
