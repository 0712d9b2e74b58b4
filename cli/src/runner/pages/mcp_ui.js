const at = (id) => document.getElementById(id);
const KEPT_MESSAGES = 200;
let client;
let tools = [];
let tool;
let form;
let running;
/** What each request was about. */
const asked = new Map();

function badge(id, text, kind = "") {
  at(id).textContent = text;
  at(id).className = `badge ${kind}`;
}

/** Puts a message on the list; what is long is folded. */
function told(direction, message) {
  if (message.method && message.id !== undefined) asked.set(message.id, message.params?.name ?? message.method);
  const answered = asked.get(message.id) ?? "";
  const what = message.method ?? (message.error ? `error ${message.error.code}: ${answered}` : `result: ${answered}`);
  const id = message.id === undefined ? "" : ` #${message.id}`;
  const progress = message.params?.message ? `  ${message.params.message}` : "";
  const mark = h(`span.${direction}`, {}, direction === "sent" ? "→ " : "← ");
  const entry = h("details", {}, h("summary", {}, mark, `${what}${id}${progress}`), h("pre", {}, JSON.stringify(message, null, 2)));
  const wire = at("wire");
  wire.querySelector("p")?.remove();
  wire.append(entry);
  while (wire.children.length > KEPT_MESSAGES) wire.firstChild.remove();
  wire.scrollTop = wire.scrollHeight;
}

async function connect() {
  badge("status", "connecting…");
  at("connect").disabled = true;
  try {
    asked.clear();
    client = new Client(told);
    const { serverInfo, protocolVersion } = await client.connect();
    tools = await client.tools();
    badge("status", `${serverInfo.name} ${serverInfo.version} · ${protocolVersion} · ${tools.length} tools`, "good");
    at("connect").textContent = "Reconnect";
    list();
    choose(tools.find(({ name }) => name === location.hash.slice(1)) ?? tools[0]);
  } catch (error) {
    badge("status", `not connected: ${error.message}`, "bad");
  } finally {
    at("connect").disabled = false;
  }
}

function list() {
  const wanted = at("filter").value.toLowerCase();
  const shown = tools.filter(({ name, title }) => `${name} ${title ?? ""}`.toLowerCase().includes(wanted));
  const item = (one) => h("li", {}, h("button", { "aria-current": String(one === tool), onclick: () => choose(one, true) }, one.name));
  at("tools").replaceChildren(...shown.map(item));
}

const HINTS = [
  ["readOnlyHint", true, "read-only", "good"],
  ["destructiveHint", true, "destructive", "warn"],
  ["idempotentHint", true, "idempotent", ""],
  ["openWorldHint", true, "open world", ""],
];

function choose(one, byHand = false) {
  if (!one) return;
  tool = one;
  history.replaceState(null, "", `#${one.name}`);
  at("name").textContent = one.title ?? one.name;
  at("about").replaceChildren(...prose(one.description));
  const hints = HINTS.filter(([hint, value]) => one.annotations?.[hint] === value);
  at("hints").replaceChildren(h("code", {}, one.name), ...hints.map(([, , text, kind]) => h(`span.badge${kind ? `.${kind}` : ""}`, {}, text)));
  form = new Form(one.inputSchema);
  at("fields").replaceChildren(form.element);
  at("watch").hidden = one.name !== "run_script";
  at("form").hidden = false;
  at("result").hidden = true;
  showJson(false);
  list();
  if (byHand) (at("fields").querySelector("input, select, textarea, summary") ?? at("call")).focus();
}

function showJson(on) {
  if (on) at("json").value = JSON.stringify(form.read(), null, 2);
  at("raw").hidden = !on;
  at("fields").hidden = on;
  at("toggle").setAttribute("aria-pressed", String(on));
  at("toggle").textContent = on ? "Edit as a form" : "Edit as JSON";
}

const given = () => (at("raw").hidden ? form.read() : JSON.parse(at("json").value));

/** Runs `work` with a signal that Stop sets, and shows what comes of it. */
async function perform(work) {
  if (running) return;
  running = new AbortController();
  at("result").hidden = false;
  at("output").replaceChildren();
  badge("outcome", "running…");
  // A button that is switched off would lose the focus of whoever works by keyboard.
  const from = document.activeElement;
  const starts = ["call", "watch"].map(at);
  at("stop").disabled = false;
  if (starts.includes(from)) at("stop").focus();
  for (const button of starts) button.disabled = true;
  try {
    await work(running.signal);
  } catch (error) {
    badge("outcome", running.signal.aborted ? "stopped" : "error", "bad");
    if (!running.signal.aborted) write("end", error.message);
  } finally {
    running = undefined;
    for (const button of starts) button.disabled = false;
    if (document.activeElement === at("stop")) from.focus();
    at("stop").disabled = true;
  }
}

function write(kind, line) {
  const output = at("output");
  const follows = output.scrollTop + output.clientHeight >= output.scrollHeight - 8;
  output.append(h(`span.${kind}`, {}, `${line}\n`));
  if (follows) output.scrollTop = output.scrollHeight;
}

const call = () => perform(async (signal) => {
  const result = await client.call(tool.name, given(), signal, ({ params }) => badge("outcome", params?.message ?? "running…"));
  badge("outcome", result.isError ? "tool error" : "ok", result.isError ? "bad" : "good");
  const texts = result.content.map((block) => (block.type === "text" ? block.text : JSON.stringify(block, null, 2)));
  at("output").textContent = result.structuredContent ? JSON.stringify(result.structuredContent, null, 2) : texts.join("\n");
});

/** Runs a script over the stream and shows its lines as they come. */
const watch = () => perform(async (signal) => {
  const { path, args = [], timeout_ms: timeout, env } = given();
  if (env) throw new Error("The stream takes no variables: leave `env` empty, or use Call.");
  const query = new URLSearchParams({ path });
  if (args.length > 0) query.set("args", JSON.stringify(args));
  if (timeout !== undefined) query.set("timeout_ms", timeout);
  const answer = await fetch(`/sse/run_script_stream?${query}`, { headers: bearer(), signal });
  if (!answer.ok) throw new Error(await answer.text());
  for await (const { name, data } of events(answer.body)) {
    const event = JSON.parse(data);
    if (name === "stdout" || name === "stderr") write(name, event.line);
    if (name === "end") {
      badge("outcome", `exit code ${event.exitCode}`, event.exitCode === 0 ? "good" : "bad");
      write("end", `exit code ${event.exitCode} after ${event.duration_ms} ms${event.truncated ? ", output cut" : ""}`);
    }
    if (name === "error") {
      badge("outcome", event.code, "bad");
      write("end", event.message);
    }
  }
});

at("connect").addEventListener("click", connect);
at("filter").addEventListener("input", list);
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  call();
});
at("watch").addEventListener("click", () => at("form").reportValidity() && watch());
at("stop").addEventListener("click", () => running?.abort());
at("clear").addEventListener("click", () => at("wire").replaceChildren());
at("toggle").addEventListener("click", () => {
  const on = at("raw").hidden;
  if (!on) choose(tool);
  else showJson(true);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && tool) at("form").requestSubmit();
  if (event.key === "/" && !["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement.tagName)) {
    event.preventDefault();
    at("filter").focus();
  }
});
connect();
