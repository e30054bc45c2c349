package plimsoll

import (
	"encoding/json"
	"fmt"
	"math/big"
)

// Amount is an exact whole number: decimal digits in JSON.
type Amount struct{ value *big.Int }

// NewAmount returns the amount of a number.
func NewAmount(value *big.Int) Amount { return Amount{new(big.Int).Set(value)} }

// Int returns a copy of the number.
func (a Amount) Int() *big.Int {
	if a.value == nil {
		return new(big.Int)
	}
	return new(big.Int).Set(a.value)
}

func (a Amount) String() string { return a.Int().String() }

// MarshalJSON writes the digits as a string.
func (a Amount) MarshalJSON() ([]byte, error) { return json.Marshal(a.String()) }

// UnmarshalJSON reads a string of digits.
func (a *Amount) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	for at, digit := range text {
		if (digit < '0' || digit > '9') && (at > 0 || digit != '-') {
			return fmt.Errorf("%q is no exact amount", text)
		}
	}
	value, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return fmt.Errorf("%q is no exact amount", text)
	}
	a.value = value
	return nil
}
