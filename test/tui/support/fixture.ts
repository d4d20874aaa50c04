import { onTestFinished } from 'vitest'
import {
  type Brain,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../support/model-server/index.ts'
import { type Home, makeHome, Program, type ProgramOptions, serverConfig } from './program.ts'

/** A home that is gone after the test. */
export function home(): Home {
  const made = makeHome()
  onTestFinished(made.remove)
  return made
}

/** A model server that is gone after the test. */
async function server(brain: Brain, options: Omit<ModelServerOptions, 'brain'> = {}): Promise<ModelServer> {
  const made = await startModelServer({ brain, ...options })
  onTestFinished(made.close)
  return made
}

/** The program, left after the test however that went. */
export function start(at: Home, options: ProgramOptions = {}): Program {
  const program = new Program(at, options)
  onTestFinished(async () => {
    if (program.terminal.isStarted) await program.quit().catch(() => {})
  })
  return program
}

/** A home with a server as its provider. */
export async function ready(
  brain: Brain,
  config: Parameters<typeof serverConfig>[1] = {},
  options: Omit<ModelServerOptions, 'brain'> = {},
): Promise<{ at: Home; model: ModelServer }> {
  const at = home()
  const model = await server(brain, { window: 10_000_000, ...options })
  at.config(serverConfig(model, config))
  return { at, model }
}
