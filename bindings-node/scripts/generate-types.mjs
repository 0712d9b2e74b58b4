// Writes types.d.ts from the JSON Schemas of the Rust types.
//
//   node scripts/generate-types.mjs            rewrite the file
//   node scripts/generate-types.mjs --check    fail where it is not fresh
//
// Constructs that our types do not use are errors.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const HEAD = '// Types of inputs, results and events. Written by scripts/generate-types.mjs from the Rust types; do not edit.\n'
const FILE = new URL('../types.d.ts', import.meta.url)
const WIDTH = 120

function main() {
  const native = createRequire(import.meta.url)('../js/native.js')
  const text = generate(JSON.parse(native.schemas()))
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, text)
  } else if (readFileSync(FILE, 'utf8') !== text) {
    console.error('types.d.ts is stale; run node scripts/generate-types.mjs')
    process.exit(1)
  }
}

/** The whole text of types.d.ts. */
function generate({ input, result, event }) {
  const parts = new Map()
  const add = (name, shape) => {
    if (!parts.has(name)) parts.set(name, definition(name, shape))
  }
  const { target, ...properties } = input.properties
  for (const schema of [input, result, event]) for (const [name, shape] of Object.entries(schema.$defs)) add(name, shape)
  add('Options', { description: 'Every option of a run; each has a default.', type: 'object', properties })
  add('RunResult', result)
  add('Event', event)
  return [HEAD, ...[...parts.values()].flat()].join('\n')
}

/** A type, and the types of its variants. */
function definition(name, shape) {
  if (shape.enum) return [alias(name, shape, shape.enum.map(literal))]
  if (!shape.oneOf) return [object(name, shape)]
  const values = shape.oneOf.map((variant) => variant.enum ?? (variant.const === undefined ? undefined : [variant.const]))
  if (values.every(Boolean)) return [alias(name, shape, values.flat().map(literal))]
  const members = shape.oneOf.map((variant) => [variantName(name, variant), variant])
  return [alias(name, shape, members.map(([member]) => member)), ...members.map(([member, variant]) => object(member, variant))]
}

/** A variant is told apart by the constant that it holds (`RunStartedEvent`) or by its only member (`TargetStdio`). */
function variantName(name, { properties }) {
  const marked = Object.values(properties).find((value) => value.const !== undefined)
  return marked ? pascal(marked.const) + name : name + pascal(Object.keys(properties)[0])
}

function alias(name, shape, values) {
  return `${comment(shape, '')}export type ${name} = ${values.join(' | ')}\n`
}

function object(name, shape) {
  const required = new Set(shape.required)
  const fields = Object.entries(shape.properties ?? {}).map(
    ([key, value]) => `${comment(value, '  ')}  ${key}${required.has(key) ? '' : '?'}: ${type(value)}\n`,
  )
  return `${comment(shape, '')}export interface ${name} {\n${fields.join('')}}\n`
}

/** The TypeScript type for a schema. */
function type(shape) {
  if (shape === true || Object.keys(shape).every((key) => ['description', 'default'].includes(key))) return 'unknown'
  if (shape.$ref) return shape.$ref.split('/').pop()
  if (shape.const !== undefined) return literal(shape.const)
  if (shape.anyOf) return shape.anyOf.map(type).join(' | ')
  if (Array.isArray(shape.type)) return shape.type.map((one) => type({ ...shape, type: one })).join(' | ')
  if (shape.type === 'array') return list(type(shape.items ?? true))
  if (shape.type === 'object') return `Record<string, ${type(shape.additionalProperties ?? true)}>`
  const names = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }
  const found = names[shape.type]
  if (!found) throw new Error(`no type for ${JSON.stringify(shape)}`)
  return found
}

const list = (item) => (item.includes(' ') ? `(${item})[]` : `${item}[]`)
const literal = (value) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
const pascal = (name) => name.split('_').map((word) => word[0].toUpperCase() + word.slice(1)).join('')

/** The description as a comment, wrapped where it is long. */
function comment(shape, indent) {
  const text = (shape.description ?? '').split(/\s+/).join(' ').replaceAll('*/', '*\\/')
  if (!text) return ''
  if (indent.length + text.length + 8 <= WIDTH) return `${indent}/** ${text} */\n`
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trimStart()
    if (indent.length + longer.length + 3 > WIDTH) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

main()
