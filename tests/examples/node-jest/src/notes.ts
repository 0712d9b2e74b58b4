import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import * as z from 'zod'

const note = { id: z.number().int(), text: z.string() }

/** Keeps notes. The faulty twin counts the letters that are read in a callback, where nobody catches what it throws. */
export function createServer({ faulty }: { faulty: boolean }): McpServer {
  const texts = new Map<number, string | undefined>()
  let last = 0
  let letters = 0
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  const answer = (structuredContent: Record<string, unknown>) => ({
    content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
    structuredContent,
  })
  const refuse = (text: string) => ({ content: [{ type: 'text' as const, text }], isError: true })

  server.registerTool(
    'add_note',
    { description: 'Keeps a note and gives it a number.', inputSchema: { text: z.string() }, outputSchema: note },
    ({ text }) => {
      texts.set(++last, text)
      return answer({ id: last, text })
    },
  )

  server.registerTool(
    'read_note',
    { description: 'Returns a note.', inputSchema: { id: note.id }, outputSchema: note, annotations: { readOnlyHint: true } },
    ({ id }) => {
      if (!texts.has(id)) return refuse(`there is no note ${id}`)
      const text = texts.get(id)
      if (faulty) queueMicrotask(() => (letters += text!.length))
      return text === undefined ? refuse(`note ${id} is deleted`) : answer({ id, text })
    },
  )

  server.registerTool(
    'delete_note',
    { description: 'Deletes a note; its number is not used again.', inputSchema: { id: note.id } },
    ({ id }) => {
      if (texts.get(id) === undefined) return refuse(`there is no note ${id}`)
      texts.set(id, undefined)
      return { content: [{ type: 'text', text: `note ${id} is deleted` }] }
    },
  )

  return server
}
