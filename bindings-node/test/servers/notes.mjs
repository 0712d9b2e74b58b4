// A notes server on the TypeScript SDK v2, with questions, subscriptions, prompts, resources and completions.
// `node notes.mjs` serves standard input and output, `--http` HTTP, `--http --protected` HTTP for those who have a token.
import { createServer } from 'node:http'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  McpServer,
  OAuthError,
  OAuthErrorCode,
  ResourceTemplate,
  acceptedContent,
  completable,
  createMcpHandler,
  createRequestStateCodec,
  getOAuthProtectedResourceMetadataUrl,
  inputRequired,
  oauthMetadataResponse,
  requireBearerAuth,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

const notes = new Map([['welcome', 'Hello.']])
const state = createRequestStateCodec({ key: randomBytes(32) })
const text = (words, structuredContent) => ({ content: [{ type: 'text', text: words }], structuredContent })
const missing = (id) => ({ ...text(`There is no note ${id}.`), isError: true })

function server() {
  const mcp = new McpServer(
    { name: 'notes', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, resources: { listChanged: true }, prompts: { listChanged: true } }, requestState: { verify: state.verify } },
  )
  mcp.registerTool(
    'add_note',
    {
      description: 'Adds a note and returns its id.',
      inputSchema: z.object({ text: z.string().max(200) }),
      outputSchema: z.object({ id: z.string() }),
    },
    ({ text: words }) => {
      const id = randomUUID()
      notes.set(id, words)
      mcp.sendResourceListChanged()
      return text(JSON.stringify({ id }), { id })
    },
  )
  mcp.registerTool(
    'list_notes',
    { description: 'Lists the ids of all notes.', inputSchema: z.object({}), annotations: { readOnlyHint: true } },
    () => text(JSON.stringify([...notes.keys()])),
  )
  const sure = z.object({ sure: z.boolean() })
  mcp.registerTool(
    'delete_note',
    { description: 'Deletes a note, once the user has agreed.', inputSchema: z.object({ id: z.string() }) },
    async ({ id }, context) => {
      if (!notes.has(id)) return missing(id)
      const answer = acceptedContent(context.mcpReq.inputResponses, 'sure', sure)
      if (context.mcpReq.inputResponses === undefined) {
        return inputRequired({
          inputRequests: { sure: inputRequired.elicit({ message: `Delete ${id}?`, requestedSchema: sure }) },
          requestState: await state.mint({ id }, context),
        })
      }
      if (!answer?.sure) return text('Kept.')
      notes.delete(id)
      mcp.sendResourceListChanged()
      return text('Deleted.')
    },
  )
  mcp.registerTool(
    'ask_name',
    { description: 'Asks the user for a name and greets.', inputSchema: z.object({}) },
    async (_, context) => {
      const name = z.object({ name: z.string() })
      const answer = acceptedContent(context.mcpReq.inputResponses, 'name', name)
      if (!answer) {
        return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: 'Who are you?', requestedSchema: name }) } })
      }
      return text(`Hello, ${answer.name}!`)
    },
  )
  mcp.registerResource('all', 'note://all', { description: 'All ids.', mimeType: 'text/plain' }, () => ({
    contents: [{ uri: 'note://all', mimeType: 'text/plain', text: [...notes.keys()].join('\n') }],
  }))
  const template = new ResourceTemplate('note://by-id/{id}', {
    list: () => ({ resources: [...notes.keys()].map((id) => ({ uri: `note://by-id/${id}`, name: id })) }),
    complete: { id: () => [...notes.keys()].slice(0, 100) },
  })
  mcp.registerResource('note', template, { description: 'One note.' }, (uri, { id }) => {
    if (!notes.has(id)) throw new Error(`There is no note ${id}.`)
    return { contents: [{ uri: uri.href, text: notes.get(id) }] }
  })
  mcp.registerPrompt(
    'summarise',
    { description: 'Asks for a summary.', argsSchema: z.object({ style: completable(z.string(), () => ['short', 'long']) }) },
    ({ style }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `A ${style} summary, please.` } }] }),
  )
  return mcp
}

function serveHttp() {
  const handler = createMcpHandler(server)
  const http = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = ['GET', 'HEAD'].includes(request.method) || chunks.length === 0 ? undefined : Buffer.concat(chunks)
    const own = `http://127.0.0.1:${http.address().port}`
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const asked = new Request(own + request.url, { method: request.method, headers: request.headers, body, signal: gone.signal })
    const answer = await reply(asked, own)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (!answer.body) return response.end()
    for await (const chunk of answer.body) response.write(chunk)
    response.end()
  })

  async function reply(request, own) {
    const resource = new URL('/mcp', own)
    if (process.argv.includes('--protected')) {
      const oauthMetadata = {
        issuer: own,
        authorization_endpoint: `${own}/authorize`,
        token_endpoint: `${own}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      }
      const dangerouslyAllowInsecureIssuerUrl = true
      const document = oauthMetadataResponse(request, { oauthMetadata, resourceServerUrl: resource, scopesSupported: ['notes'], dangerouslyAllowInsecureIssuerUrl })
      if (document) return document
      const verifier = {
        async verifyAccessToken(token) {
          const scopes = { wide: ['notes'], narrow: [] }[token]
          if (!scopes) throw new OAuthError(OAuthErrorCode.InvalidToken, 'unknown token')
          return { token, clientId: 'tester', scopes, expiresAt: Math.floor(Date.now() / 1000) + 3600 }
        },
      }
      const allowed = requireBearerAuth({ verifier, requiredScopes: ['notes'], resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource) })
      const authInfo = await allowed(request)
      if (authInfo instanceof Response) return authInfo
      return new URL(request.url).pathname === '/mcp' ? handler.fetch(request, { authInfo }) : new Response(null, { status: 404 })
    }
    return new URL(request.url).pathname === '/mcp' ? handler.fetch(request) : new Response(null, { status: 404 })
  }

  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`))
}

if (process.argv.includes('--http')) serveHttp()
else serveStdio(server)
