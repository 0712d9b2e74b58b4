import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

const note = z.object({ id: z.number().int(), text: z.string() })

/** Keeps notes. The faulty twin numbers them by how many there are, so that a new note takes the number of another once one is deleted. */
export function createServer({ faulty }: { faulty: boolean }): McpServer {
  const texts = new Map<number, string>()
  let last = 0
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  const answer = (structuredContent: Record<string, unknown>) => ({
    content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
    structuredContent,
  })
  const unknown = (id: number) => ({ content: [{ type: 'text' as const, text: `there is no note ${id}` }], isError: true })

  server.registerTool(
    'add_note',
    { description: 'Keeps a note and gives it a number.', inputSchema: z.object({ text: z.string() }), outputSchema: note },
    ({ text }) => {
      const id = faulty ? texts.size + 1 : ++last
      texts.set(id, text)
      return answer({ id, text })
    },
  )

  server.registerTool(
    'read_note',
    {
      description: 'Returns a note.',
      inputSchema: z.object({ id: z.number().int() }),
      outputSchema: note,
      annotations: { readOnlyHint: true },
    },
    ({ id }) => {
      const text = texts.get(id)
      return text === undefined ? unknown(id) : answer({ id, text })
    },
  )

  server.registerTool(
    'delete_note',
    { description: 'Deletes a note; its number is not used again.', inputSchema: z.object({ id: z.number().int() }) },
    ({ id }) => {
      if (!texts.delete(id)) return unknown(id)
      return { content: [{ type: 'text', text: `note ${id} is deleted` }] }
    },
  )

  return server
}
