import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, inject, onTestFinished } from 'vitest'
import { announceGateway, type GatewayNotice } from '../../../src/gateway/running-gateways.ts'
import type { Message } from '../../../src/model/types.ts'
import { compactSession } from '../../../src/session/compaction/compact-session.ts'
import { ownHolder } from '../../../src/session/compaction/hold-lease.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

/** A user with sessions, and the program as an MCP client starts it. */
export type McpWorld = {
  readonly workspace: string
  /** Where Pith keeps its own files. */
  readonly data: string
  /** Starts `pith mcp` in the workspace and connects to it. */
  readonly connect: (env?: Record<string, string>) => Promise<Client>
  /** Stores a session of our own, as a gateway does if it has a holder. Answers with its id. */
  readonly store: (messages: readonly Message[], holder?: string, owner?: string) => Promise<string>
  /** Compacts a stored session without a model. */
  readonly compact: (id: string) => Promise<void>
  /** Leaves the notice of a gateway that runs. Returns how to take it away. */
  readonly gateway: (notice: Pick<GatewayNotice, 'recorder' | 'mode'>) => () => void
  /** Writes a session file of Claude Code, later than all before it. Answers with its path. */
  readonly claude: (id: string, texts: readonly string[], workspace?: string) => string
  /** Hands a session over to Codex in the workspace. */
  readonly handOff: (session: string) => Promise<void>
}

export function mcpWorld(): McpWorld {
  const folders = configFolders()
  const { workspace, home, env, userFile } = folders
  const where = join(dirname(userFile), 'pith.db')
  let later = Date.now() / 1000
  return {
    workspace,
    data: dirname(where),
    connect: async (more = {}) => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [inject('program'), 'mcp'],
        cwd: workspace,
        env: { PATH: process.env.PATH ?? '', HOME: home, PITH_HOME: env.PITH_HOME ?? '', ...more },
      })
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(transport)
      onTestFinished(() => client.close())
      return client
    },
    compact: async (id) => {
      const store = await openStore(where)
      const { outcome } = await compactSession(store, id, {
        holder: 'test',
        reason: 'manual',
        policy: { rungs: ['digest'] },
      })
      await store.close()
      expect(outcome).toBe('compacted')
    },
    store: async (messages, holder, owner = 'local') => {
      mkdirSync(dirname(where), { recursive: true })
      const store = await openStore(where)
      const { id } = await store.createSession({ owner, workspace })
      const chain = holder === undefined ? undefined : { holder, values: messages.map((_, i) => `${id}-${i}`) }
      const drafts = messages.map((message) => ({ type: 'message' as const, message }))
      await store.append(id, drafts, { chain })
      await store.close()
      return id
    },
    handOff: async (session) => {
      const { code } = await pith(folders, ['handoff', session, '--to', 'codex', '--offline', '--folder', workspace])
      expect(code).toBe(0)
    },
    gateway: (notice) =>
      announceGateway(dirname(userFile), { ...notice, holder: ownHolder(), port: 1, prefix: 'secret' }),
    claude: (id, texts, cwd = workspace) => {
      const file = join(home, '.claude', 'projects', 'work', `${id}.jsonl`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, texts.map((text, i) => claudeLine(id, text, i, cwd)).join(''))
      later += 100
      utimesSync(file, later, later)
      return file
    },
  }
}

/** A message as Claude Code writes it: the user's and the assistant's in turn. */
export function claudeLine(sessionId: string, text: string, i: number, cwd: string): string {
  const role = i % 2 === 0 ? 'user' : 'assistant'
  const answer = { id: `m${i}`, type: 'message', model: 'claude-sonnet-4-5', content: [{ type: 'text', text }] }
  const line = {
    type: role,
    uuid: `u${i}`,
    parentUuid: i === 0 ? null : `u${i - 1}`,
    sessionId,
    cwd,
    timestamp: new Date(1_700_000_000_000 + i * 1000).toISOString(),
    message: role === 'user' ? { role, content: text } : { role, ...answer },
  }
  return `${JSON.stringify(line)}\n`
}

/** The text of a tool's answer. */
export async function called(client: Client, name: string, args: object): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...args } })
  return (content as { text: string }[]).map(({ text }) => text).join('\n')
}
