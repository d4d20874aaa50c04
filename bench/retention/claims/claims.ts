import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compact, viewOf } from '../../../src/engine.ts'
import { decode } from '../../../src/formats/index.ts'
import type { Bench, BenchContext } from '../../harness/bench.ts'
import { filesIn } from '../material.ts'
import { rounded } from '../tables.ts'
import { type Claim, claimsIn } from './claims-in.ts'
import { judgeClaims, type Verdict } from './judge-claims.ts'
import { hasOpenCalls, rawSteps } from './raw-session.ts'

/** Shares of a file's lines at which a record is made. */
const SHARES = [0.35, 0.7, 1] as const

export const claims: Bench = {
  name: 'retention/claims',
  what: 'Statements of a record about files, commits and checks that the session does not back, by a reader of its own.',
  run: async (context) => {
    const found: (Verdict & { readonly place: string })[] = []
    let records = 0
    for await (const { place, record, text } of recordsOf(context)) {
      const steps = rawSteps(text)
      if (steps === undefined) continue
      records++
      found.push(...judgeClaims(claimsIn(record), steps).map((verdict) => ({ ...verdict, place })))
    }
    const kinds = Map.groupBy(found, ({ claim }) => claim.kind)
    const row = (kind: string, all: readonly Verdict[]) => {
      const count = (verdict: Verdict['verdict']) => all.filter((one) => one.verdict === verdict).length
      const [isTrue, isFalse] = [count('true'), count('false')]
      return [kind, isTrue, isFalse, rounded((100 * isFalse) / (isTrue + isFalse || 1)), count('unread')]
    }
    return {
      tables: [
        {
          title: `Claims of ${records} records`,
          columns: ['claim', 'backed', 'false or unbacked', '%', 'not judged'],
          rows: [...[...kinds].map(([kind, all]) => row(kind, all)), row('all', found)],
        },
        {
          title: 'False or unbacked, the first of each kind',
          columns: ['claim', 'record', 'handle', 'line', 'the session shows'],
          rows: [...kinds.values()].flatMap((all) => all.filter(isFalse).slice(0, MOST_SHOWN).map(shown)),
        },
      ],
      notes: [
        'The reader parses the files of Claude Code, Codex, pi, opencode and Copilot CLI itself and imports nothing from the engine. A claim about a file or a command that it does not find is not judged.',
      ],
      data: found
        .filter(isFalse)
        .map(({ place, claim, why }) => ({ place, kind: claim.kind, handle: handleIn(claim), line: claim.line, why })),
    }
  },
}

const MOST_SHOWN = 10

function isFalse({ verdict }: Verdict): boolean {
  return verdict === 'false'
}

function shown({ claim, place, why }: Verdict & { readonly place: string }): string[] {
  return [claim.kind, place, handleIn(claim), clipped(claim), why.slice(0, 80)]
}

/** The message that a line is about: a file's last change, a commit, a check or an error. */
function handleIn({ line }: Claim): string {
  return /^- (#\d+)/.exec(line)?.[1] ?? /\((#\d+)\)(?:: |$)/.exec(line)?.[1] ?? ''
}

function clipped({ line }: Claim): string {
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

type RecordOf = { readonly place: string; readonly record: string; readonly text: string }

/** The record of each session after some of its lines, and the text of those lines. Made-up sessions have no files. */
async function* recordsOf({ transcripts, quick, progress }: BenchContext): AsyncIterable<RecordOf> {
  const files = transcripts.flatMap(filesIn)
  for (const path of quick ? files.filter((_, i) => i % 4 === 1) : files) {
    const whole = readFileSync(path, 'utf8')
    for (const share of path.endsWith('.jsonl') ? SHARES : [1]) {
      const text = beginning(whole, share)
      const place = `${basename(path)}@${100 * share}%`
      progress(place)
      const record = await recordOf(text)
      if (record !== undefined) yield { place, record, text }
    }
  }
}

/** The first lines of a file, up to a place where no call waits for its result. */
function beginning(text: string, share: number): string {
  if (share === 1) return text
  const lines = text.split('\n')
  let count = Math.floor(lines.length * share)
  const first = () => `${lines.slice(0, count).join('\n')}\n`
  for (let tries = 0; tries < MOST_TRIES && hasOpenCalls(first()); tries++) count++
  return first()
}

const MOST_TRIES = 20

async function recordOf(text: string): Promise<string | undefined> {
  const read = await decode([text])
  if (!read.ok) return undefined
  const log = read.session.entries.flatMap((entry) =>
    entry.type === 'message' ? [{ ...entry, usage: undefined }] : [],
  )
  const result = await compact({
    log,
    reason: 'manual',
    model: { contextWindow: 100_000 },
    // Long enough that a record shows nearly all that it would ever claim.
    policy: { keepTokens: 4_000, rungs: ['digest'], indexTokens: 12_000, nameTokens: 500 },
  })
  if (!result.compacted) return undefined
  const item = viewOf([...log, ...result.entries])
    .items.slice()
    .find(({ kind }) => kind === 'summary')
  const content = item?.message.content
  return typeof content === 'string' ? content : content?.map((part) => ('text' in part ? part.text : '')).join('\n')
}
