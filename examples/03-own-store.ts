/**
 * A store of your own: the log is data, keep it where you like. Here it is a file, one entry a line, that only ever grows;
 * a compaction and its undo are lines too.
 * In an empty folder with the copy of this file in the package: npm install pith && node 03-own-store.ts
 */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// in your program: from 'pith'
import {
  compact,
  type Entry,
  type EntryDraft,
  messagesOf,
  nextEntry,
  parseEntry,
  statusOf,
  undoTargets,
  viewOf,
} from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'pith-example-'))
const file = join(folder, 'session.jsonl')
const model = { contextWindow: 8_000 }

function readLog(): Entry[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => parseEntry(JSON.parse(line)))
}

function append(...entries: readonly Entry[]): void {
  appendFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
}

function say(draft: EntryDraft): void {
  append(nextEntry(readLog(), draft, { clock: Date.now }))
}

for (let i = 1; i <= 20; i++) {
  say({ type: 'message', message: { role: 'user', content: `Question ${i}. ${'Some words. '.repeat(60)}` } })
  say({ type: 'message', message: { role: 'assistant', content: `Answer ${i}. ${'Other words. '.repeat(60)}` } })
}
const before = JSON.stringify(messagesOf(viewOf(readLog())))
console.log(`before: ${statusOf(readLog(), { model }).percent}% of the window`)

// `compact` writes nothing itself: append the entries that it returns, whatever the outcome.
const { entries, outcome } = await compact({ log: readLog(), model, clock: Date.now })
append(...entries)
console.log(`${outcome}: ${statusOf(readLog(), { model }).percent}% of the window`)

const of = undoTargets(readLog()).undo
if (of !== undefined) say({ type: 'undo', of })
console.log(
  `undone: the view is the one before, byte for byte: ${JSON.stringify(messagesOf(viewOf(readLog()))) === before}`,
)
rmSync(folder, { recursive: true })
