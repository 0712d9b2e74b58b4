/** A client of this server: Streamable HTTP with a session, answers as JSON or as a stream. */
class Client {
  /** `told` gets every message, with its direction. */
  constructor(told) {
    this.told = told;
    this.next = 1;
    this.session = undefined;
    this.version = undefined;
  }

  async connect() {
    const result = await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "tooltest-playground", version: "1" },
    });
    this.version = result.protocolVersion;
    await this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    return result;
  }

  async tools() {
    const tools = [];
    let cursor;
    do {
      const page = await this.request("tools/list", cursor ? { cursor } : {});
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor);
    return tools;
  }

  /** Calls a tool; `heard` gets the notifications that come before the answer. */
  call(name, args, signal, heard) {
    const progressToken = `p${this.next}`;
    return this.request("tools/call", { name, arguments: args, _meta: { progressToken } }, signal, heard);
  }

  async request(method, params, signal, heard = () => {}) {
    const id = this.next++;
    const message = { jsonrpc: "2.0", id, method, params };
    const tellEnd = () => this.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }).catch(() => {});
    signal?.addEventListener("abort", tellEnd, { once: true });
    try {
      for await (const got of this.exchange(message, signal)) {
        if (got.id === id && (got.result !== undefined || got.error)) {
          if (got.error) throw Object.assign(new Error(got.error.message), { code: got.error.code });
          return got.result;
        }
        heard(got);
      }
    } finally {
      signal?.removeEventListener("abort", tellEnd);
    }
    throw new Error("the connection closed before the answer came");
  }

  headers() {
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...bearer() };
    if (this.session) headers["Mcp-Session-Id"] = this.session;
    if (this.version) headers["MCP-Protocol-Version"] = this.version;
    return headers;
  }

  async post(message, signal) {
    this.told("sent", message);
    const answer = await fetch("/mcp", { method: "POST", headers: this.headers(), body: JSON.stringify(message), signal });
    this.session = answer.headers.get("Mcp-Session-Id") ?? this.session;
    if (!answer.ok) throw new Error(`status ${answer.status}: ${await answer.text()}`);
    return answer;
  }

  async *exchange(message, signal) {
    const answer = await this.post(message, signal);
    if ((answer.headers.get("Content-Type") ?? "").startsWith("text/event-stream")) {
      for await (const event of events(answer.body)) {
        if (!event.data) continue;
        const got = JSON.parse(event.data);
        this.told("got", got);
        yield got;
      }
    } else {
      const got = JSON.parse(await answer.text());
      this.told("got", got);
      yield got;
    }
  }
}

/** The server-sent events of a body. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const event = { name: "message", data: "" };
      for (const line of block.split(/\r?\n/)) {
        const [, field, text] = /^(\w*):? ?(.*)$/s.exec(line) ?? [];
        if (field === "event") event.name = text;
        if (field === "data") event.data += (event.data ? "\n" : "") + text;
      }
      yield event;
    }
  }
}
