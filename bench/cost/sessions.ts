import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Entry } from '../../src/engine.ts'
import { decode } from '../../src/formats/index.ts'
import { type MeasuredLog, measureLog } from '../../src/study/replay/measured-log.ts'
import { messageTokens } from '../../src/tokens/estimate/estimator.ts'
import { pieces } from '../formats/pieces.ts'
import { type Half, halfOf } from './division.ts'
import { joined } from './joined.ts'
import { madeUpSession } from './made-up.ts'

/** A session to replay. */
export type CostSession = {
  readonly name: string
  readonly agent: string
  readonly half: Half
  /** The messages, with the provider's own token counts if the file has them. */
  readonly measured: MeasuredLog
}

/** A session before it is measured. */
export type SessionSource = {
  readonly name: string
  readonly agent: string
  /** Decides which half it belongs to; the name does if it is absent. */
  readonly id?: string
  readonly log: readonly Entry[]
  /** The system prompt; empty if the file has none. */
  readonly system: string
}

/** The sessions to replay: as they were recorded, and long ones made by joining them. */
export type Material = { readonly single: readonly CostSession[]; readonly long: readonly CostSession[] }

/** Under this many tokens no policy does anything, and all cost the same. */
const LEAST_TOKENS = 60_000

/** The recorded sessions in the folders, or made-up ones if no folder is given. */
export async function materialOf(folders: readonly string[], quick: boolean): Promise<Material> {
  const all = folders.length === 0 ? madeUpSessions(quick) : (await recordedSessions(folders)).map(costSession)
  const single = all.filter((session) => tokensOf(session) >= LEAST_TOKENS)
  const long = (['choosing', 'reporting'] as const)
    .map((half) => single.filter((session) => session.half === half))
    .filter(({ length }) => length > 1)
    .map((sessions) => joined(`${sessions[0]?.half} ×${sessions.length}, joined`, sessions))
  return quick ? { single: single.slice(0, 3), long: long.slice(0, 1) } : { single, long }
}

/** Measures a session once for all replays. */
export function costSession({ name, agent, id = name, log, system }: SessionSource): CostSession {
  return { name, agent, half: halfOf(id), measured: measureLog(log, {}, { system }) }
}

/** The tokens of all messages of a session. */
export function tokensOf({ measured: { messages, estimator } }: CostSession): number {
  return messages.reduce((sum, { message }) => sum + messageTokens(message, estimator), 0)
}

/** The sessions in the folders; files that cannot be read are left out. */
export async function recordedSessions(folders: readonly string[]): Promise<SessionSource[]> {
  const sessions: SessionSource[] = []
  for (const path of folders.flatMap(filesIn)) {
    const result = await decode(pieces(path))
    if (!result.ok) continue
    const { entries, agent, system, sessionId: id } = result.session
    sessions.push({ name: basename(path), agent, id, log: entries, system: system.join('\n\n') })
  }
  return sessions
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('.md'))
    .toSorted()
}

function madeUpSessions(quick: boolean): CostSession[] {
  const sizes = quick ? [150_000, 250_000, 350_000] : [80_000, 120_000, 180_000, 240_000, 360_000, 480_000]
  return sizes.map((tokens, i) => {
    const log = madeUpSession(i + 1, tokens)
    return costSession({ name: `made-up ${i + 1}`, agent: 'made-up', log, system: 'x '.repeat(15_000) })
  })
}
