import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Entry } from '../../src/engine.ts'
import { decode, type FormatName } from '../../src/formats/index.ts'
import { pieces } from '../formats/pieces.ts'
import type { BenchContext } from '../harness/bench.ts'
import { cutsOf } from './cuts.ts'
import { madeUpSession } from './made-up.ts'
import { type Question, questionOf } from './score.ts'

export type Session = {
  readonly name: string
  readonly entries: readonly Entry[]
  /** Absent for made-up ones. */
  readonly agent?: FormatName
  /** True when nothing in Pith was tuned on sessions of this kind; absent for made-up ones. */
  readonly heldOut?: boolean
}

/** Shares, ranks and limits of the digest are chosen on sessions of these agents alone. */
const TUNED_ON: ReadonlySet<FormatName> = new Set<FormatName>(['claude-code', 'pi'])

/** A question with the session it is about and the agent that recorded it. */
export type SessionQuestion = Question & { readonly session: string; readonly agent: string }

/** All cuts of the sessions to measure on, with what can be asked about them. */
export async function questionsFor({ transcripts, quick, progress }: BenchContext): Promise<SessionQuestion[]> {
  const questions: SessionQuestion[] = []
  for await (const session of sessionsIn(transcripts, quick)) {
    progress(`facts of ${session.name}`)
    const { name, agent = 'made-up', heldOut } = session
    const about = { session: name, agent, ...(heldOut === undefined ? {} : { heldOut }) }
    questions.push(...cutsOf(session).map((cut) => ({ ...questionOf(cut), ...about })))
  }
  return questions
}

/** The sessions to measure on: those recorded in the folders, else made-up ones that are the same every time. */
export async function* sessionsIn(folders: readonly string[], quick: boolean): AsyncIterable<Session> {
  if (folders.length === 0) {
    for (const seed of quick ? [1] : [1, 2, 3, 4]) yield madeUpSession(seed)
    return
  }
  const files = folders.flatMap(filesIn)
  for (const path of quick ? files.filter((_, i) => i % 4 === 1) : files) {
    const result = await decode(pieces(path))
    if (!result.ok) continue
    const { entries, format } = result.session
    yield { name: basename(path), entries, agent: format, heldOut: !TUNED_ON.has(format) }
  }
}

/** The session files of a folder. */
export function filesIn(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && /\.(?:jsonl?|traj)$/.test(path))
    .toSorted()
}
