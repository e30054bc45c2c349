// Package plimsoll is the client of the Plimsoll API. Types and methods are generated from its OpenAPI document.
package plimsoll
