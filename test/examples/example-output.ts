import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import { reader, WINDOW } from '../adapters/ai-sdk/world.ts'

export const ROOT = resolve(import.meta.dirname, '..', '..')

/** The output of an example, and its requests to the model server. */
export type ExampleOutput = {
  readonly text: string
  readonly errors: string
  readonly summaries: number
  readonly violations: unknown
}

let runs = 0

/** Runs an example in this process, which has loaded all that it imports, with a model that reads this many pages. */
export async function exampleOutput(file: string, pages = 0, window = WINDOW): Promise<ExampleOutput> {
  const server = await reader(pages, { window })
  const printed = { log: '', warn: '', error: '' }
  const streams = (['log', 'warn', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...words) => {
      printed[name] += `${words.join(' ')}\n`
    }),
  )
  const restore = () => {
    vi.unstubAllEnvs()
    for (const stream of streams) stream.mockRestore()
  }
  // An example that does not end fails its own test alone.
  onTestFinished(restore)
  vi.stubEnv('MODEL_URL', server.baseUrl('chat')).stubEnv('MODEL', 'pith-test')
  try {
    // A module is loaded once by its address, and each run should be the first.
    await import(`${pathToFileURL(join(ROOT, 'examples', file)).href}?run=${++runs}`)
  } finally {
    restore()
  }
  const { log: text, warn, error } = printed
  return { text, errors: warn + error, summaries: server.summaries(), violations: server.violations }
}
