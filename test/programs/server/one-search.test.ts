import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, inject, it, onTestFinished } from 'vitest'
import { recallAnswer, recallFrom } from '../../../src/adapters/shared/recall.ts'
import { recallFromLog } from '../../../src/agent/tools/recall/recall.ts'
import { searchSession } from '../../../src/session/search/search-session.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { TestWorkspace } from '../../agent/tools/support.ts'
import { pith } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'

const FIXTURE = join(import.meta.dirname, '../../fixtures/formats/claude-code.jsonl')
const CLAUDE = '7d1a2b3c-1111-4222-8333-444455556666'
/** As many hits as a model gets. */
const LIMIT = 6
const QUERIES = [
  'parallel limit',
  'retry',
  '"no limit"',
  'upload role:user',
  'test file:upload.test.ts',
  'legacy',
] as const

it('one query has the same hits in the same order, whoever asks', async () => {
  const world = await machine()
  const { id, cli, http, stdio, remote, library } = world
  for (const query of QUERIES) {
    const search = encodeURIComponent(query)
    const inSession = {
      command: await cli(query, '--session', id),
      http: seqs(await http(`/v1/sessions/${id}/recall?q=${search}&limit=${LIMIT}`)),
      library: (await library(query)).hits.map(({ seq }) => seq),
      mcp: handles(await called(stdio, { search: query, session: id })),
      mcpOverHttp: handles(await called(remote, { search: query, session: id })),
      agent: handles(await world.agent(query)),
      adapters: handles(await world.adapter(query)),
    }
    const { library: expected } = inSession
    expect({ query, ...inSession }).toEqual({
      query,
      ...Object.fromEntries(Object.keys(inSession).map((face) => [face, expected])),
    })
    const wide = await cli(query)
    expect(wide.length).toBeGreaterThan(0)
    expect({ query, seqs: seqs(await http(`/v1/search?q=${search}&limit=${LIMIT}`)) }).toEqual({ query, seqs: wide })
    expect({ query, seqs: handles(await called(stdio, { search: query, scope: 'everything' })) }).toEqual({
      query,
      seqs: wide,
    })
  }
})

/** A user with the example in the store, a file of Claude Code, and everything that can be asked. */
async function machine() {
  const folders = configFolders()
  const file = join(folders.home, `.claude/projects/-repo/${CLAUDE}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(FIXTURE, file)
  const id = /[0-9a-f-]{36}/.exec((await pith(folders, ['import', 'example'])).stdout)?.[0] ?? ''
  const token = (await pith(folders, ['serve', 'token', 'add', 'owner', '--owner', 'local'])).stdout.trim()
  const origin = await served(folders)
  const headers = { authorization: `Bearer ${token}` }
  const store = await openStore(join(dirname(folders.userFile), 'pith.db'))
  onTestFinished(() => store.close())
  const library = (query: string) => searchSession(store, id, query, { limit: LIMIT })
  const { entries } = await store.entries(id, { only: 'messages' })
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
  const messageSeqs = entries.map(({ seq }) => seq)
  return {
    id,
    library,
    cli: async (...args: string[]) => {
      const { stdout } = await pith(folders, ['recall', ...args, '--json', '--limit', `${LIMIT}`])
      return seqs(JSON.parse(stdout))
    },
    http: async (path: string) => (await (await fetch(`${origin}${path}`, { headers })).json()) as Answer,
    stdio: await connected(
      new StdioClientTransport({
        command: process.execPath,
        args: [inject('program'), 'mcp'],
        cwd: folders.workspace,
        env: { PATH: process.env.PATH ?? '', HOME: folders.home, PITH_HOME: folders.env.PITH_HOME ?? '' },
      }),
    ),
    remote: await connected(
      new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }) as Transport,
    ),
    agent: (search: string) =>
      new TestWorkspace().outputOf(recallFromLog, { search }, { recall: { entries: async () => [], search: library } }),
    adapter: (search: string) => recallAnswer(recallFrom({ messages, seqs: messageSeqs }), { search }),
  }
}

/** Starts a server. Returns its address. */
async function served({ workspace, home, env }: ConfigFolders): Promise<string> {
  const child = spawn(process.execPath, [inject('program'), 'serve', '--port', '0', '--quiet'], {
    cwd: workspace,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  for await (const line of createInterface({ input: child.stdout }))
    return new URL(/http:\S+/.exec(line)?.[0] ?? '').origin
  throw new Error('the server did not start')
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function called(client: Client, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name: 'recall', arguments: args })
  return (content as { text: string }[]).map(({ text }) => text).join('\n')
}

type Answer = { readonly hits: readonly { readonly seq: number }[] }

function seqs({ hits }: Answer): number[] {
  return hits.map(({ seq }) => seq)
}

/** The handles of the hits in an answer for a model. */
function handles(answer: string): number[] {
  return [...answer.matchAll(/^#(\d+) \(/gm)].map(([, seq]) => Number(seq))
}
