/** Sessions of clients of the 2025 revisions: one MCP server instance per `Mcp-Session-Id`, all on one tracker. */
import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport, type McpServer } from "@modelcontextprotocol/server";

/** Clients that vanish without DELETE must not fill the memory: beyond this the longest unused session ends. */
const MAX_SESSIONS = 1000;

export class Sessions {
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  readonly #createServer: () => McpServer;

  constructor(createServer: () => McpServer) {
    this.#createServer = createServer;
  }

  /** How many sessions are open. */
  get size(): number {
    return this.#transports.size;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#open(request);
    const transport = this.#transports.get(id);
    if (transport === undefined) return refusal(404, -32001, "Session not found");
    // Moved to the end: the map's order is the order of last use.
    this.#transports.delete(id);
    this.#transports.set(id, transport);
    return transport.handleRequest(request);
  }

  async close(): Promise<void> {
    const transports = [...this.#transports.values()];
    this.#transports.clear();
    await Promise.all(transports.map((transport) => transport.close()));
  }

  async #open(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#add(id, transport),
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#transports.delete(transport.sessionId);
    };
    await this.#createServer().connect(transport);
    const response = await transport.handleRequest(request);
    // Anything but a good initialize request was refused and began no session.
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  #add(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
    this.#transports.set(id, transport);
    const oldest = this.#transports.entries().next().value;
    if (this.#transports.size > MAX_SESSIONS && oldest !== undefined) void oldest[1].close();
  }
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
