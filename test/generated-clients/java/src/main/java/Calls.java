import generated.ApiClient;
import generated.ApiException;
import generated.api.AutomationApi;
import generated.api.PositionsApi;
import generated.api.RegistryApi;
import generated.api.SimulationsApi;
import generated.api.WalletsApi;
import generated.model.BadRequestError;
import generated.model.ForbiddenError;
import generated.model.MonteCarloBody;
import generated.model.NotFoundError;
import generated.model.PriceScenarioBody;
import generated.model.TooManyRequestsError;
import generated.model.UnauthorizedError;
import generated.model.WatchWalletBody;
import generated.model.WhatIfBody;
import java.util.List;

/** Ten calls of a client that openapi-generator generated. */
public final class Calls {
  private Calls() {}

  private interface Call {
    void run() throws ApiException;
  }

  private static ApiClient clientOf(String key) {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("PLIMSOLL_URL"));
    client.addDefaultHeader("x-api-key", key);
    return client;
  }

  /** The typed error of a call, or null. */
  private static <T> T errorOf(Class<T> type, Call call) {
    try {
      call.run();
      return null;
    } catch (ApiException error) {
      return type.cast(error.getErrorEntity());
    }
  }

  private static void print(Object... words) {
    System.out.println(String.join(" ", List.of(words).stream().map(String::valueOf).toList()));
  }

  public static void main(String[] args) throws ApiException {
    ApiClient client = clientOf(System.getenv("API_KEY"));
    String wallet = System.getenv("WALLET");
    PositionsApi positions = new PositionsApi(client);
    SimulationsApi simulations = new SimulationsApi(client);

    var chains = new RegistryApi(client).listChains().limit(2).execute();
    print("chains", chains.getCount(), chains.getNextCursor() != null);

    var wallets = new WalletsApi(client);
    var watched = wallets.watchWallet().watchWalletBody(new WatchWalletBody().address(wallet)).execute();
    print("wallet", watched.getAddress());

    var list = positions.listPositions().wallet(wallet).execute();
    print("positions", list.getPositions().size());

    var position = positions.getPosition(list.getPositions().get(0).getId()).execute();
    String symbol = position.getCollateralAssets().get(0).getAsset();
    print("position", position.getId(), symbol);

    var fall = new PriceScenarioBody().asset(symbol).priceChangePercent(-20.0);
    var whatIf =
        simulations
            .simulateWhatIf()
            .whatIfBody(new WhatIfBody().positionId(position.getId()).addScenariosItem(fall))
            .execute();
    print("what-if", whatIf.getResults().get(0).getLiquidationRisk());

    var none = new MonteCarloBody().positionId(position.getId()).iterations(0).horizonDays(30);
    var invalid =
        errorOf(
                BadRequestError.class,
                () -> simulations.simulateMonteCarlo().monteCarloBody(none).execute())
            .getInvalidRequestProblem();
    print(invalid.getStatus(), invalid.getCode(), invalid.getErrors().get(0).getField());

    var wrongKey = new RegistryApi(clientOf("psk_live_wrong"));
    var invalidKey =
        errorOf(UnauthorizedError.class, () -> wrongKey.listChains().execute())
            .getInvalidApiKeyProblem();
    print(invalidKey.getStatus(), invalidKey.getCode());

    var open = new AutomationApi(clientOf(System.getenv("OPEN_KEY")));
    var lowTier =
        errorOf(ForbiddenError.class, () -> open.listRules().execute())
            .getTierRequiredProblem();
    print(lowTier.getStatus(), lowTier.getCode(), lowTier.getRequiredTier());

    var unknown =
        errorOf(
                NotFoundError.class,
                () -> positions.getPosition("pos_0000000000000000000000").execute())
            .getNotFoundProblem();
    print(unknown.getStatus(), unknown.getCode());

    var limited = new RegistryApi(clientOf(System.getenv("LIMITED_KEY")));
    // A window of the limit may end between two requests.
    for (int request = 0; request < 5; request += 1) {
      var error =
          errorOf(TooManyRequestsError.class, () -> limited.listChains().execute());
      if (error == null) continue;
      print(error.getRateLimitedProblem().getStatus(), error.getRateLimitedProblem().getCode());
      return;
    }
  }
}
