/** The command line that both entries share. */
import { parseArgs } from "node:util";
import type { Era, IteratrToolsOptions } from "./http.js";

const ERAS: readonly Era[] = ["legacy", "modern", "both"];

export const OPTIONS_HELP = `  --session NAME   whose tasks these are (default: default)
  --store FILE     the file that keeps the session (default: NAME.json in the folder
                   iteratr-tools of the user's data folder, $XDG_DATA_HOME or ~/.local/share)
  --memory         keep nothing: every process begins with an empty session
  --era ERA        the protocol generations served: legacy (2025 and before),
                   modern (2026-07-28) or both (default: both)
  --help           this text
`;

/** Reads the arguments of an entry. Throws with a text for the user when they are wrong. */
export function parseOptions(args: string[], withPort: boolean): (IteratrToolsOptions & { era: Era }) | "help" {
  const { values } = parseArgs({
    args,
    options: {
      session: { type: "string", default: "default" },
      store: { type: "string" },
      memory: { type: "boolean", default: false },
      era: { type: "string", default: "both" },
      help: { type: "boolean", default: false },
      ...(withPort ? { port: { type: "string" as const } } : {}),
    },
  });
  if (values.help) return "help";
  const era = ERAS.find((known) => known === values.era);
  if (era === undefined) throw new Error(`--era is ${values.era}, but must be legacy, modern or both`);
  const port = (values as { port?: string }).port;
  return {
    session: values.session,
    memory: values.memory,
    era,
    ...(values.store === undefined ? {} : { store: values.store }),
    ...(port === undefined ? {} : { port: parsePort(port) }),
  };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port is ${text}, but must be 0 to 65535`);
  return port;
}

/** Runs an entry: prints its help, or a clear sentence when it cannot start. */
export async function runEntry(
  usage: string,
  withPort: boolean,
  main: (options: IteratrToolsOptions & { era: Era }) => Promise<void>,
): Promise<void> {
  try {
    const options = parseOptions(process.argv.slice(2), withPort);
    if (options === "help") process.stdout.write(usage);
    else await main(options);
  } catch (error) {
    process.stderr.write(`iteratr-tools: ${(error as Error).message}\n`);
    process.exitCode = 2;
  }
}
