/** The tracker over Streamable HTTP, embedded in a process. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from "@modelcontextprotocol/server";
import { seedFetch, seedTracker } from "./faults/index.js";
import { openStore, type StoreOptions } from "./location.js";
import { createServer, NAME } from "./server.js";
import { Sessions } from "./sessions.js";
import { Tracker } from "./tracker.js";

/** The generations of the protocol: with a handshake (2024-11-05 to 2025-11-25), without (2026-07-28), or either. */
export type Era = "legacy" | "modern" | "both";

export interface IteratrToolsOptions extends StoreOptions {
  /** The port to listen on; 0, the default, takes a free one. */
  port?: number;
  /** Which clients are served; both by default. */
  era?: Era;
}

const HOST = "127.0.0.1";
const PATH = "/mcp";

/** One running instance: what {@link IteratrTools.stop} has to end. */
interface Running {
  server: Server;
  sessions: Sessions;
  modern: McpHttpHandler;
  port: number;
}

/**
 * A task tracker that other processes reach over MCP.
 *
 * ```ts
 * const tools = new IteratrTools({ session: "nightly", store: "nightly.json" });
 * await tools.start();
 * console.log(tools.url());
 * await tools.stop();
 * ```
 */
export class IteratrTools {
  readonly #options: IteratrToolsOptions;
  readonly #tracker: Tracker;
  #running: Promise<Running> | undefined;
  #port: number | undefined;

  constructor(options: IteratrToolsOptions) {
    this.#options = options;
    this.#tracker = seedTracker(new Tracker(openStore(options)));
  }

  /** Listens on a loopback port and returns it. A second call returns the same port. */
  async start(): Promise<number> {
    this.#running ??= this.#listen();
    try {
      const { port } = await this.#running;
      this.#port = port;
      return port;
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  /** The address of the MCP endpoint. Throws unless started. */
  url(): string {
    if (this.#port === undefined) throw new Error("iteratr-tools is not started");
    return `http://${HOST}:${this.#port}${PATH}`;
  }

  /** The entry for the `mcpServers` array of an Agent Client Protocol session. Throws unless started. */
  acpServer(): { type: "http"; name: string; url: string; headers: { name: string; value: string }[] } {
    return { type: "http", name: NAME, url: this.url(), headers: [] };
  }

  /** Ends all connections and frees the port. Does nothing when stopped already. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#port = undefined;
    if (running === undefined) return;
    const { server, sessions, modern } = await running;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all([sessions.close(), modern.close()]);
    server.closeAllConnections();
    await closed;
  }

  async #listen(): Promise<Running> {
    await this.#tracker.store.read();
    const create = (era: "legacy" | "modern") => createServer(this.#tracker, { era, transport: "http" });
    const sessions = new Sessions(() => create("legacy"));
    const modern = createMcpHandler(({ era }) => create(era), { legacy: "reject" });
    const server = createHttpServer(this.#listener(sessions, modern));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#options.port ?? 0, HOST, resolve);
    });
    return { server, sessions, modern, port: (server.address() as AddressInfo).port };
  }

  #listener(sessions: Sessions, modern: McpHttpHandler): (req: IncomingMessage, res: ServerResponse) => void {
    const era = this.#options.era ?? "both";
    const fetch = async (request: Request) => {
      const legacy = era === "legacy" || (era === "both" && (await isLegacyRequest(request)));
      return legacy ? sessions.fetch(request) : modern.fetch(request);
    };
    const handle = toNodeHandler({ fetch: seedFetch(fetch, sessions) });
    const isHostAllowed = localhostHostValidation();
    const isOriginAllowed = localhostOriginValidation();
    return (req, res) => {
      // Without these two a web page could reach the tracker by DNS rebinding.
      if (!isHostAllowed(req, res) || !isOriginAllowed(req, res)) return;
      const path = new URL(req.url ?? "/", `http://${HOST}`).pathname;
      if (path === PATH) void handle(req, req.method === "GET" ? withHeadersAtOnce(res) : res);
      else res.writeHead(404, { "content-type": "text/plain" }).end(`MCP is served at ${PATH}\n`);
    };
  }
}

/** A stream of a quiet session has no first chunk that would carry its headers, and its client would wait for them. */
function withHeadersAtOnce(res: ServerResponse): Parameters<ReturnType<typeof toNodeHandler>>[1] {
  return {
    writeHead: (status, headers) => {
      res.writeHead(status, headers);
      res.flushHeaders();
    },
    write: (chunk) => res.write(chunk),
    end: (chunk) => res.end(chunk),
    on: (event, listener) => res.on(event, listener),
    get destroyed() {
      return res.destroyed;
    },
  };
}
