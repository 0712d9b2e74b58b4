import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createServer } from './notes.js'

// `--faulty` starts the faulty twin.
void createServer({ faulty: process.argv.includes('--faulty') }).connect(new StdioServerTransport())
