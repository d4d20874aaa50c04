import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { acpAgent, type OpenedForEditor } from '../../../acp/acp-agent.ts'
import type { FlagKey } from '../../../config/tables/shortcuts.ts'
import { openLocalPort } from '../../../tui/local/local-port.ts'
import { type LocalOptions, sessionRows } from '../../../tui/local/local-sessions.ts'
import { startingPage, updateInBackground } from '../../memory/starting-page.ts'
import { interruptible } from '../../process/interruptible.ts'
import { packageVersion } from '../../process/package.ts'
import { loadSetup, withStoreToRead } from '../../setup/setup.ts'

type Flags = Partial<Record<FlagKey, string>>

/** Serves an editor on standard input and output until it closes them. */
export async function serveAcp(flags: Flags): Promise<void> {
  const { app, closeAll } = acpAgent({
    version: packageVersion(),
    open: (folder, id, mcp) => openFor({ ...optionsIn(folder, flags), mcp }, id),
    sessions: (folder) => withStoreToRead(loadSetup(flags), (store) => sessionRows(store, folder)),
    now: Date.now,
  })
  await interruptible(async (signal) => {
    const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>
    const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
    const connection = app.connect(ndJsonStream(output, input))
    signal.addEventListener('abort', () => connection.close(), { once: true })
    await connection.closed
    await closeAll()
  })
}

function optionsIn(cwd: string, flags: Flags): Omit<LocalOptions, 'open'> {
  return {
    flags,
    cwd,
    env: process.env,
    version: packageVersion(),
    memory: (setup) => {
      updateInBackground(setup)
      return startingPage(setup)
    },
  }
}

async function openFor(options: Omit<LocalOptions, 'open'>, id: string | undefined): Promise<OpenedForEditor> {
  const open: LocalOptions['open'] = id === undefined ? { kind: 'new' } : { kind: 'id', id }
  const { port, sayWith, first } = await openLocalPort({ ...options, open })
  if (first === undefined || id === undefined) return { port, sayWith }
  const { elsewhere } = await port.openSession(id)
  return { port, sayWith, elsewhere: elsewhere?.folder ?? 'it is gone' }
}
