/**
 * Reads every session in a folder, compacts it offline at four budgets, writes it back and prints the result; then prints
 * the speed of the largest one against parsing its lines. Counts are compared with the folder's INDEX.md if it has one.
 * `node bench/formats/measure.ts FOLDER`
 */
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compact, type Entry, messagesOf, validate, viewOf } from '../../src/engine.ts'
import { answerOpenCalls, type DecodedSession, decode, decodeText, encode } from '../../src/formats/index.ts'
import { indexOf, type Listed } from './listed.ts'
import { pieces } from './pieces.ts'
import { measureSpeed } from './speed.ts'

const WINDOWS = [16_000, 32_000, 64_000, 128_000]
const AGENTS = ['claude-code', 'codex', 'pi'] as const

const folder = process.argv[2]
if (folder === undefined) {
  console.error('Name a folder of sessions: node bench/formats/measure.ts FOLDER')
  process.exit(2)
}
const listed = indexOf(folder)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => join(folder, name))
  .filter((path) => statSync(path).isFile() && !path.endsWith('.md'))
  .toSorted()

const rows: Record<string, string | number>[] = []
let bad = 0
for (const path of files) rows.push(await measured(path))
console.table(rows)
const largest = files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0]
if (largest !== undefined) await measureSpeed(largest)
if (bad > 0) {
  console.error(`${bad} of ${files.length} files were not read, not valid or not the same after writing`)
  process.exit(1)
}

async function measured(path: string): Promise<Record<string, string | number>> {
  const result = await decode(pieces(path))
  if (!result.ok) {
    bad++
    return { file: basename(path).slice(0, 40), format: result.reason }
  }
  const { session } = result
  const log = answerOpenCalls(session.entries)
  const valid = await Promise.all(WINDOWS.map((window) => isValid(log, window)))
  const same = await comesBack(session, log)
  if (valid.includes(false) || !same) bad++
  return {
    file: basename(path).slice(0, 40),
    format: session.format,
    ...counted(session, listed.get(basename(path))),
    view: viewOf(log).items.length,
    beside: session.sidechains.length,
    issues: session.counts.issues,
    'valid at 16k 32k 64k 128k': valid.map((each) => (each ? 'yes' : 'NO')).join(' '),
    'written and read': same ? 'same' : 'DIFFERENT',
  }
}

function counted({ counts, compactions }: DecodedSession, index: Listed | undefined): Record<string, string> {
  const against = (here: number, there: number | undefined) =>
    there === undefined || here === there ? String(here) : `${here} (index ${there})`
  return {
    messages: against(counts.recordedMessages, index?.messages),
    calls: against(counts.recordedCalls, index?.calls),
    compactions: against(compactions.length, index?.compactions),
    'in the log': `${counts.messages} / ${counts.calls}`,
  }
}

async function isValid(log: readonly Entry[], contextWindow: number): Promise<boolean> {
  const result = await compact({ log, model: { contextWindow } })
  const fits =
    result.outcome === 'compacted'
      ? result.tokensAfter <= contextWindow / 2
      : result.outcome === 'skipped' && result.skip === 'nothing-to-gain'
  return fits && validate(result.messages).length === 0
}

/** True if all words and calls are still there after the session was written for each agent and read again. */
async function comesBack(session: DecodedSession, log: readonly Entry[]): Promise<boolean> {
  const { entries } = await compact({ log, model: { contextWindow: 64_000 } })
  const compacted = [...log, ...entries]
  let next = 0
  const ids = () => `00000000-0000-4000-8000-${String(++next).padStart(12, '0')}`
  return AGENTS.every((format) => {
    const back = decodeText(encode({ ...session, entries: compacted }, format, { ids, clock: () => 1 }).text)
    return (
      back.ok &&
      validate(messagesOf(viewOf(back.session.entries))).length === 0 &&
      shape(back.session.entries) === shape(compacted)
    )
  })
}

/** The part of a log that every format can express: roles, words, calls and results. */
function shape(log: readonly Entry[]): string {
  const messages = messagesOf(viewOf(log)).slice(1)
  return JSON.stringify(
    messages.map(({ role, content }) =>
      typeof content === 'string'
        ? [role, content]
        : content.flatMap((part) => {
            if (part.type === 'text') return [role, part.text]
            return part.type === 'tool-call' || part.type === 'tool-result' ? [part.type] : []
          }),
    ),
  )
}
