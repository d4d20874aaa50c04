import { parseArgs } from 'node:util'
import type { FlagKey } from '../../config/shortcuts.ts'
import { PithError } from '../../model/errors.ts'
import type { Example, LocalOptions } from '../../tui/local/setup.ts'
import { runTerminal } from '../../tui/run-terminal.ts'

const OPTIONS = {
  continue: { type: 'boolean', short: 'c' },
  session: { type: 'string' },
  model: { type: 'string' },
  permissions: { type: 'string' },
  policy: { type: 'string' },
  theme: { type: 'string' },
  store: { type: 'string' },
  'step-limit': { type: 'string' },
  'no-instructions': { type: 'boolean' },
} as const

/** Runs the terminal agent with the flags of the command line. */
export async function terminal(args: readonly string[]): Promise<void> {
  const { open, flags } = parsed(args)
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new PithError('bad-argument', 'pith needs a terminal for a session: run it without a pipe')
  }
  const { env } = process
  const options: LocalOptions = { flags, cwd: process.cwd(), env, open, example }
  await runTerminal({
    env,
    ...(flags.theme === undefined ? {} : { theme: flags.theme }),
    open: async () => (await import('../../tui/local-port.ts')).openLocalPort(options),
  })
}

async function example(): Promise<Example> {
  const { EXAMPLE_SESSION, EXAMPLE_WINDOW } = await import('../example-session.ts')
  return { title: 'Example', model: 'example/offline', window: EXAMPLE_WINDOW, messages: EXAMPLE_SESSION }
}

function parsed(args: readonly string[]): Pick<LocalOptions, 'open' | 'flags'> {
  const { values } = parse(args)
  const flags: Partial<Record<FlagKey, string>> = {
    ...given('model', values.model),
    ...given('permissions', values.permissions),
    ...given('policy.preset', values.policy),
    ...given('theme', values.theme),
    ...given('store', values.store),
    ...given('step_limit', values['step-limit']),
    ...given('instructions', values['no-instructions'] === true ? 'false' : undefined),
  }
  if (values.session !== undefined) return { flags, open: { kind: 'id', id: values.session } }
  return { flags, open: { kind: values.continue === true ? 'continue' : 'new' } }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false })
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/)
    throw new PithError('bad-argument', `${why}; see pith --help`)
  }
}

function given(key: FlagKey, value: string | undefined): Partial<Record<FlagKey, string>> {
  return value === undefined ? {} : { [key]: value }
}
