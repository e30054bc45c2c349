using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    # The platform of the test listens on loopback.
    (name = "internet", network = (allow = ["local", "private"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "program.mjs", esModule = embed "program.mjs"),
    (name = "@plimsoll/sdk", esModule = embed "node_modules/@plimsoll/sdk/dist/index.js"),
  ],
);
