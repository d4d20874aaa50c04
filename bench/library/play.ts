import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { billed } from '../../test/support/model-server/billed.ts'
import { type ModelServer, type RequestRecord, startModelServer } from '../../test/support/model-server/index.ts'
import { EDITS, FACTS, shownIn } from './job.ts'
import { jobBrain, textOfRequest } from './job-brain.ts'

/** The outcome of one way to stay inside the window. */
export type Played = {
  /** Requests that were answered, without those for summaries. */
  readonly steps: number
  readonly dollars: number
  readonly facts: number
  readonly edits: number
  /** Requests that were refused as too large, and those that were refused as invalid. */
  readonly refused: number
  readonly invalid: number
  readonly summaries: number
  /** Requests that do not begin with the whole request before them. */
  readonly breaks: number
  /** The mean size of a request. */
  readonly tokens: number
  /** Why the run ended before its end. */
  readonly failure?: string
}

/** Runs a program of `programs/` in a process of its own, against a strict server with this window. */
export async function play(program: string, window: number): Promise<Played> {
  const server = await startModelServer({ window, brain: jobBrain(), cacheMinimumTokens: 1_024 })
  try {
    const failure = await run(program, window, server)
    return { ...outcomeOf(server), ...(failure === undefined ? {} : { failure }) }
  } finally {
    await server.close()
  }
}

/** Undefined, or the first line of what went wrong. */
async function run(program: string, window: number, { url }: ModelServer): Promise<string | undefined> {
  const file = join(import.meta.dirname, 'programs', `${program}.mjs`)
  const env = { ...process.env, OPENAI_API_KEY: 'none', MASTRA_TELEMETRY_DISABLED: '1' }
  try {
    const args = ['--max-old-space-size=4096', file, `${url}/v1`, String(window)]
    await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 26, timeout: MOST_MS })
    return undefined
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    const lines = stderr.split('\n')
    return (lines.find((line) => /Error\b.*:/.test(line)) ?? lines[0] ?? message).trim().slice(0, 200)
  }
}

const MOST_MS = 15 * 60_000

function outcomeOf({ requests }: ModelServer): Played {
  const answered = requests.filter(({ outcome }) => outcome === 'answered')
  const own = answered.filter(({ summarising }) => !summarising)
  const last = own.at(-1)?.request
  const seen = last === undefined ? '' : textOfRequest(last)
  return {
    steps: own.length,
    dollars: billed(answered),
    facts: shownIn(seen, FACTS).length,
    edits: shownIn(seen, EDITS).length,
    refused: requests.filter(({ outcome }) => outcome === 'overflow').length,
    invalid: requests.filter(({ outcome }) => outcome === 'invalid').length,
    summaries: answered.length - own.length,
    breaks: own.filter((record, i) => i > 0 && !extendsRequest(record, own[i - 1])).length,
    tokens: Math.round(own.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, own.length)),
  }
}

function extendsRequest(record: RequestRecord, before: RequestRecord | undefined): boolean {
  const [now, then] = [itemsOf(record), itemsOf(before)]
  return then.every((item, i) => item === now[i])
}

/** The messages of a request as texts, without ids that no model sees. */
function itemsOf(record: RequestRecord | undefined): string[] {
  const { messages, input } = (record?.body ?? {}) as { messages?: unknown[]; input?: unknown[] }
  return (messages ?? input ?? []).map((item) => JSON.stringify({ ...(item as object), id: undefined }))
}
