// A stdio server without any library, with faults that the environment turns on: FAULTS=crash,schema,hang.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const faults = new Set((process.env.FAULTS ?? '').split(','))
const integer = (minimum, maximum) => ({ type: 'integer', minimum, maximum })
const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })
const readOnly = { annotations: { readOnlyHint: true } }
const TOOLS = [
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: object({ a: integer(-1000, 1000), b: integer(-1000, 1000) }),
    outputSchema: { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] },
    ...readOnly,
  },
  {
    name: 'repeat',
    description: 'Repeats a text.',
    inputSchema: object({ text: { type: 'string', maxLength: 50 }, times: integer(0, 20) }),
    ...readOnly,
  },
]

class Fault extends Error {
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

function check(args, schema) {
  const names = Object.keys(schema.properties)
  const given = args && typeof args === 'object' && !Array.isArray(args) ? Object.keys(args) : []
  if (given.length !== names.length || !names.every((name) => given.includes(name))) throw new RangeError(`expected ${names}`)
  for (const [name, { type, minimum, maximum, maxLength }] of Object.entries(schema.properties)) {
    const value = args[name]
    const fits = type === 'string' ? typeof value === 'string' && [...value].length <= maxLength : Number.isInteger(value) && value >= minimum && value <= maximum
    if (!fits) throw new RangeError(`${name} is not as declared`)
  }
  return args
}

function call(name, args) {
  const tool = TOOLS.find((one) => one.name === name)
  if (!tool) throw new Fault(-32602, `Unknown tool: ${name}`)
  check(args, tool.inputSchema)
  if (name === 'repeat') return args.text.repeat(args.times)
  if (faults.has('hang')) for (;;);
  if (faults.has('crash') && args.a > 500) process.exit(7)
  const sum = args.a + args.b
  return { sum: faults.has('schema') && sum < 0 ? String(sum) : sum }
}

function result({ method, params }) {
  if (method === 'initialize') {
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'tasks', version: '1.0' } }
  }
  if (method === 'ping') return {}
  if (method === 'tools/list') return { tools: TOOLS }
  if (method !== 'tools/call') throw new Fault(-32601, `Unknown method: ${method}`)
  try {
    const made = call(params?.name, params?.arguments)
    if (typeof made === 'string') return { content: [{ type: 'text', text: made }] }
    return { content: [{ type: 'text', text: JSON.stringify(made) }], structuredContent: made }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { content: [{ type: 'text', text: `Invalid arguments: ${error.message}` }], isError: true }
  }
}

function answer(line) {
  let message
  try {
    message = JSON.parse(line)
  } catch {
    return { id: null, error: { code: -32700, message: 'Parse error' } }
  }
  const isObject = message && typeof message === 'object' && !Array.isArray(message)
  if (isObject && message.method === undefined && ('result' in message || 'error' in message)) return undefined
  if (!isObject || message.jsonrpc !== '2.0' || typeof message.method !== 'string') {
    return { id: null, error: { code: -32600, message: 'Invalid Request' } }
  }
  if (message.id === undefined) return undefined
  try {
    return { id: message.id, result: result(message) }
  } catch (error) {
    return { id: message.id, error: { code: error.code ?? -32603, message: error.message } }
  }
}

if (process.env.PID_FILE) appendFileSync(process.env.PID_FILE, `${process.pid}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const reply = answer(line)
  if (reply) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...reply })}\n`)
}
