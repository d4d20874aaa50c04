import { PithError } from '../../../model/problems/errors.ts'
import { modelName } from '../../../model/types.ts'
import { runTerminal, type SessionPlace } from '../../../tui/app/run-terminal.ts'
import type { Example, LocalOptions } from '../../../tui/local/local-sessions.ts'
import { startingPage, updateInBackground } from '../../memory/starting-page.ts'
import { packageVersion } from '../../process/package.ts'
import type { Setup } from '../../setup/setup.ts'
import type { TerminalFlags } from './terminal-flags.ts'

const NO_FLAGS: TerminalFlags = { flags: {}, open: { kind: 'new' } }

/** Runs the terminal agent with the flags of the command line. */
export async function terminal(args: readonly string[]): Promise<void> {
  const { open, flags, first, server } =
    args.length === 0 ? NO_FLAGS : (await import('./terminal-flags.ts')).terminalFlags(args)
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new PithError('bad-argument', 'this needs a terminal: run it without a pipe, or give the task to pith run')
  }
  const { env } = process
  const options: LocalOptions = {
    flags,
    cwd: process.cwd(),
    env,
    open,
    example,
    version: packageVersion(),
    memory: beginning,
  }
  await runTerminal({
    env,
    theme: flags.theme,
    first,
    open: async (at) =>
      server === undefined
        ? (await import('../../../tui/local/local-port.ts')).openLocalPort(movedTo(options, at))
        : openOnServer(server, options),
  })
}

function movedTo(options: LocalOptions, at: SessionPlace | undefined): LocalOptions {
  return at === undefined ? options : { ...options, cwd: at.folder, open: { kind: 'id', id: at.session } }
}

/** The terminal looks and rings as on this machine. */
async function openOnServer(server: NonNullable<TerminalFlags['server']>, { cwd, open, flags, env }: LocalOptions) {
  const { address, token, ...where } = server
  const { loadConfig } = await import('../../../config/read/load-config.ts')
  const { theme, notify } = loadConfig({ flags, cwd, env }).settings
  const { openRemotePort, serverOf } = await import('../../../tui/remote/remote-port.ts')
  const at = serverOf(address, token)
  return { port: await openRemotePort({ ...at, ...where, open }), theme, notify, server: at.url }
}

/** A session that begins gets the last finished page, and a new one is made meanwhile for the next. */
function beginning(setup: Pick<Setup, 'config' | 'folders'>): string | undefined {
  updateInBackground(setup)
  return startingPage(setup)
}

async function example(): Promise<Example> {
  const { EXAMPLE_MODEL, EXAMPLE_SESSION, EXAMPLE_WINDOW } = await import('../../example/example-session.ts')
  return { title: 'Example', model: modelName(EXAMPLE_MODEL), window: EXAMPLE_WINDOW, messages: EXAMPLE_SESSION }
}
