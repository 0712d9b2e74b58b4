/** A client without an SDK: it sees crashes, silence, stray output and answers that break their schema. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type Era = "legacy" | "modern";

/** What became of a request: the result, or `error`, `crash` or `hang`; beside it `noise` and `notifications` that came meanwhile. */
export type Outcome = Record<string, unknown>;

export interface RawClient {
  /** Sends a request and waits for its answer, at most `patience` milliseconds. */
  request(method: string, params: Params, session: string, patience: number): Promise<Outcome>;
  /** Sends a request and takes it back at once. */
  cancelled(method: string, params: Params): void;
  openSession(name: string): Promise<void>;
  endSession(name: string): Promise<void>;
  /** Ends the process, by force if it no longer listens. */
  close(): Promise<void>;
}

type Params = Record<string, unknown>;
interface Message {
  id?: number;
  method?: string;
  result?: Outcome;
  error?: Outcome;
}

const CLIENT = { name: "raw", version: "1" };
const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const INITIALIZE = { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT };
const PATIENCE_MS = 10_000;

function start(entry: "stdio" | "serve", env: Record<string, string>): ChildProcess {
  const file = fileURLToPath(new URL(`../${entry}.js`, import.meta.url));
  return spawn(process.execPath, [file, "--memory"], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: [entry === "stdio" ? "pipe" : "ignore", "pipe", "ignore"],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

function withEnvelope(era: Era, params: Params): Params {
  return era === "modern" ? { ...params, _meta: ENVELOPE } : params;
}

function outcomeOf(message: Message): Outcome {
  return message.result ?? { error: message.error };
}

async function within(patience: number, answer: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ hang: true }), patience);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}

export async function rawStdio(era: Era, env: Record<string, string>): Promise<RawClient> {
  const child = start("stdio", env);
  const pending = new Map<number, (outcome: Outcome) => void>();
  let lastId = 0;
  let noise: string[] = [];
  let notifications: Message[] = [];
  createInterface({ input: child.stdout! }).on("line", (line) => {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      noise.push(line);
      return;
    }
    if (message.id === undefined) notifications.push(message);
    else pending.get(message.id)?.(outcomeOf(message));
  });
  child.on("exit", () => pending.forEach((settle) => settle({ crash: true })));
  child.stdin!.on("error", () => undefined);
  const write = (message: object) => child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  const client: RawClient = {
    async request(method, params, _session, patience) {
      const id = (lastId += 1);
      const answer = new Promise<Outcome>((resolve) => pending.set(id, resolve));
      write({ id, method, params: withEnvelope(era, params) });
      const outcome = { ...(await within(patience, answer)) };
      pending.delete(id);
      if (noise.length > 0) outcome["noise"] = noise;
      if (notifications.length > 0) outcome["notifications"] = notifications;
      noise = [];
      notifications = [];
      return outcome;
    },
    cancelled(method, params) {
      const id = (lastId += 1);
      write({ id, method, params: withEnvelope(era, params) });
      write({ method: "notifications/cancelled", params: withEnvelope(era, { requestId: id }) });
    },
    openSession: () => Promise.reject(new Error("a process has one session")),
    endSession: () => Promise.reject(new Error("a process has one session")),
    close: () => end(child),
  };
  if (era === "legacy") {
    await client.request("initialize", INITIALIZE, "", PATIENCE_MS);
    write({ method: "notifications/initialized" });
  }
  return client;
}

export async function rawHttp(era: Era, env: Record<string, string>): Promise<RawClient> {
  const child = start("serve", env);
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const url = line.toString().trim();
  const sessions = new Map<string, string>();
  let lastId = 0;

  const post = async (message: Params, headers: Record<string, string>): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const openSession = async (name: string): Promise<void> => {
    const response = await post({ id: 0, method: "initialize", params: INITIALIZE }, {});
    const id = response.headers.get("mcp-session-id");
    await response.text();
    if (id === null) throw new Error("the server began no session");
    sessions.set(name, id);
    await (await post({ method: "notifications/initialized" }, headersOf(name))).text();
  };
  const headersOf = (name: string): Record<string, string> => ({
    "mcp-protocol-version": LEGACY,
    "mcp-session-id": sessions.get(name) ?? "",
  });

  return {
    async request(method, params, session, patience) {
      const id = (lastId += 1);
      if (era === "legacy" && !sessions.has(session)) await openSession(session);
      const headers = era === "legacy" ? headersOf(session) : modernHeaders(method, params);
      const answer = post({ id, method, params: withEnvelope(era, params) }, headers)
        .then(async (response) => outcomeOf(readAnswer(await response.text())))
        .catch(() => ({ crash: true }));
      return within(patience, answer);
    },
    cancelled: () => {
      throw new Error("cancelling is only done on stdio");
    },
    openSession,
    async endSession(name) {
      await fetch(url, { method: "DELETE", headers: headersOf(name) });
      sessions.delete(name);
    },
    close: () => end(child),
  };
}

function modernHeaders(method: string, params: Params): Record<string, string> {
  const headers = { "mcp-protocol-version": MODERN, "mcp-method": method };
  return typeof params["name"] === "string" ? { ...headers, "mcp-name": params["name"] } : headers;
}

/** The response in a JSON body or in a stream of server-sent events. */
function readAnswer(body: string): Message {
  if (body.startsWith("{")) return JSON.parse(body) as Message;
  const data = body.split("\n").filter((line) => line.startsWith("data: {"));
  const messages = data.map((line) => JSON.parse(line.slice("data: ".length)) as Message);
  return messages.find((message) => message.id !== undefined) ?? { error: { message: body } };
}
