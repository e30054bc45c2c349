// Ten calls of a client that oapi-codegen generated.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"generated/api"
)

func clientOf(key string) *api.ClientWithResponses {
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", key)
		return nil
	}
	client, err := api.NewClientWithResponses(os.Getenv("PLIMSOLL_URL"), api.WithRequestEditorFn(withKey))
	check(err)
	return client
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func pointer[T any](value T) *T {
	return &value
}

func main() {
	ctx := context.Background()
	client := clientOf(os.Getenv("API_KEY"))
	wallet := os.Getenv("WALLET")

	chains, err := client.ListChainsWithResponse(ctx, &api.ListChainsParams{Limit: pointer(2)})
	check(err)
	fmt.Println("chains", chains.JSON200.Count, chains.JSON200.NextCursor != nil)

	watched, err := client.WatchWalletWithResponse(ctx, nil, api.WatchWalletBody{Address: wallet})
	check(err)
	if watched.JSON201 != nil {
		fmt.Println("wallet", watched.JSON201.Address)
	} else {
		fmt.Println("wallet", watched.JSON200.Address)
	}

	positions, err := client.ListPositionsWithResponse(ctx, &api.ListPositionsParams{Wallet: &wallet})
	check(err)
	fmt.Println("positions", len(positions.JSON200.Positions))

	position, err := client.GetPositionWithResponse(ctx, positions.JSON200.Positions[0].Id, nil)
	check(err)
	id, symbol := position.JSON200.Id, position.JSON200.CollateralAssets[0].Asset
	fmt.Println("position", id, symbol)

	fall := api.PriceScenarioBody{Asset: symbol, PriceChangePercent: -20}
	whatIf, err := client.SimulateWhatIfWithResponse(ctx, api.WhatIfBody{
		PositionId: id, Scenarios: []api.PriceScenarioBody{fall},
	})
	check(err)
	fmt.Println("what-if", whatIf.JSON200.Results[0].LiquidationRisk)

	invalid, err := client.SimulateMonteCarloWithResponse(ctx, api.MonteCarloBody{
		PositionId: id, Iterations: 0, HorizonDays: 30,
	})
	check(err)
	invalidRequest, err := invalid.ApplicationproblemJSON400.AsInvalidRequestProblem()
	check(err)
	fmt.Println(invalidRequest.Status, invalidRequest.Code, (*invalidRequest.Errors)[0].Field)

	wrongKey, err := clientOf("psk_live_wrong").ListChainsWithResponse(ctx, nil)
	check(err)
	invalidKey, err := wrongKey.ApplicationproblemJSON401.AsInvalidApiKeyProblem()
	check(err)
	fmt.Println(invalidKey.Status, invalidKey.Code)

	lowTier, err := clientOf(os.Getenv("OPEN_KEY")).ListRulesWithResponse(ctx, nil)
	check(err)
	tierRequired, err := lowTier.ApplicationproblemJSON403.AsTierRequiredProblem()
	check(err)
	fmt.Println(tierRequired.Status, tierRequired.Code, *tierRequired.RequiredTier)

	unknown, err := client.GetPositionWithResponse(ctx, "pos_0000000000000000000000", nil)
	check(err)
	notFound, err := unknown.ApplicationproblemJSON404.AsNotFoundProblem()
	check(err)
	fmt.Println(notFound.Status, notFound.Code)

	limitedClient := clientOf(os.Getenv("LIMITED_KEY"))
	// A window of the limit may end between two requests.
	for range 5 {
		limited, err := limitedClient.ListChainsWithResponse(ctx, nil)
		check(err)
		if limited.ApplicationproblemJSON429 == nil {
			continue
		}
		rateLimited, err := limited.ApplicationproblemJSON429.AsRateLimitedProblem()
		check(err)
		fmt.Println(rateLimited.Status, rateLimited.Code)
		break
	}
}
