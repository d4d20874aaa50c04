import { readFileSync, statSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { acpAgent, type OpenedForEditor } from '../../../acp/acp-agent.ts'
import { findWorkspace } from '../../../config/places/trust.ts'
import type { FlagKey } from '../../../config/tables/shortcuts.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { forgetFiles } from '../../../server/retention/forget-files.ts'
import { openLocalPort } from '../../../tui/local/local-port.ts'
import { type LocalOptions, localSetup, sessionRows } from '../../../tui/local/local-sessions.ts'
import { startingPage, updateInBackground } from '../../memory/starting-page.ts'
import { interruptible } from '../../process/interruptible.ts'
import { packageVersion } from '../../process/package.ts'

type Flags = Partial<Record<FlagKey, string>>

/** Serves an editor on standard input and output until it closes them. */
export async function serveAcp(flags: Flags): Promise<void> {
  const memory: LocalOptions['memory'] = (setup) => {
    updateInBackground(setup)
    return startingPage(setup)
  }
  const { app, closeAll } = agentHere({ flags, env: process.env, memory })
  await interruptible(async (signal) => {
    const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>
    const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
    const connection = app.connect(ndJsonStream(output, input))
    signal.addEventListener('abort', () => connection.close(), { once: true })
    await connection.closed
    await closeAll()
  })
}

/** The agent with the sessions of this machine. */
export function agentHere(place: Pick<LocalOptions, 'flags' | 'env' | 'home' | 'memory'>): ReturnType<typeof acpAgent> {
  const version = packageVersion()
  const options = (cwd: string) => ({ ...place, cwd, version, open: { kind: 'new' } }) as const
  return acpAgent({
    version,
    open: (folder, id, mcp) => openFor({ ...options(folder), mcp }, id),
    sessions: async (folder) => {
      const { store } = await localSetup(options(folder ?? process.cwd()))
      try {
        return await sessionRows(store, folder && findWorkspace(folder, place.home))
      } finally {
        await store.close()
      }
    },
    remove: (id) => remove(options(process.cwd()), id),
    textOf,
    now: Date.now,
  })
}

async function remove(options: LocalOptions, id: string): Promise<void> {
  const setup = await localSetup(options)
  const { store } = setup
  try {
    const deleted = await store.deleteUnused(id, Date.now())
    if (deleted === undefined && (await store.session(id)) !== undefined)
      throw new PithError('not-allowed', `session ${id} is at work in another program: end that first`)
    await forgetFiles({ ...setup, settings: setup.config.settings }, [id])
  } finally {
    await store.close()
  }
}

/** An editor shows no larger file as a change. */
const MOST_BYTES = 1_000_000

function textOf(path: string): string | undefined {
  try {
    return statSync(path).size > MOST_BYTES ? undefined : readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

async function openFor(options: LocalOptions, id: string | undefined): Promise<OpenedForEditor> {
  const open: LocalOptions['open'] = id === undefined ? { kind: 'new' } : { kind: 'id', id }
  const { port, sayWith, history, first } = await openLocalPort({ ...options, open })
  if (first === undefined || id === undefined) return { port, sayWith, history }
  const { elsewhere } = await port.openSession(id)
  return { port, sayWith, history, elsewhere: elsewhere?.folder ?? 'it is gone' }
}
