import { sentencesOf, setsConstraint } from '../../src/engine/extract/text/sentences.ts'
import { typedIn } from '../../src/engine/extract/text/typed-words.ts'
import { beginning, quotable } from '../../src/model/text.ts'
import { callsOf, type Entry, resultsOf } from '../../src/model/types.ts'
import { ADDITION_TOKENS, type Addition, additionTo, lastSummary } from '../../src/study/addition/addition.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import type { Bench, Cell } from '../harness/bench.ts'
import { median } from '../harness/timing.ts'
import { sessionsIn } from '../retention/material.ts'

const GOAL_TOKENS = 900
/** Shorter summaries are encrypted: only a mark is left of them. */
const SHORTEST_SUMMARY = 200

/** Measures the text that the plug-ins add after the summaries that agents wrote themselves. */
export const addition: Bench = {
  name: 'plugins/addition',
  what: 'At each compaction that an agent recorded: the facts that its own summary forgot, and those that are still missing with our addition. Files, demands and messages are taken from the session itself, not from the index that the addition is made of.',
  run: async ({ transcripts, quick, progress }) => {
    const rows: Cell[][] = []
    const sizes: number[] = []
    let lost = 0
    for await (const { name, entries } of transcripts.length === 0 ? [] : sessionsIn(transcripts, quick)) {
      for (const [i, entry] of entries.entries()) {
        if (entry.type !== 'compaction' || entry.summary.length < SHORTEST_SUMMARY) continue
        progress(`${name} #${entry.seq}`)
        const { cells, tokens, missing } = compared(entries.slice(0, i + 1))
        rows.push([`${name.slice(0, 28)} #${entry.seq}`, featureEstimator.text(entry.summary), tokens, ...cells])
        sizes.push(tokens)
        lost += missing
      }
    }
    if (rows.length === 0)
      return { tables: [], notes: ['No recorded summaries in this material: `--transcripts FOLDER`.'] }
    const most = Math.max(...sizes)
    const verdict = median(sizes) <= GOAL_TOKENS && most <= ADDITION_TOKENS && lost === 0 ? 'Met' : 'Missed'
    return {
      tables: [{ title: 'Forgotten by the summary → missing with the addition, of all', columns: COLUMNS, rows }],
      notes: [
        `${verdict}: a median of ${median(sizes)} tokens is added (goal: ${GOAL_TOKENS}), at most ${most} (goal: ${ADDITION_TOKENS}); ${lost} facts are neither there nor counted as left out (goal: 0).`,
        'Files are those that calls of tools for writing changed without an error. A file is there by its name, or by its last two segments if several files have the name. A demand or a message is there by its first 60 characters, whatever its spaces and quotation marks; a demand also if its words are mentioned together.',
      ],
    }
  },
}

const COLUMNS = ['compaction', 'summary tokens', 'added tokens', 'files', 'demands', 'messages', 'counted as left out']

type Compared = { readonly cells: readonly Cell[]; readonly tokens: number; readonly missing: number }

/** Compares the summary at the end of a log, alone and with the addition. */
function compared(entries: readonly Entry[]): Compared {
  const summary = lastSummary(entries)
  if (summary === undefined) return { cells: [], tokens: 0, missing: 0 }
  const added: Addition | undefined = additionTo(summary)
  const [alone, both] = [summary.shown, `${summary.shown}\n${added?.text ?? ''}`]
  const truth = [filesIn(entries), demandsIn(entries), messagesIn(entries)] as const
  const checks = [isFileIn, isDemandIn, isQuotedIn] as const
  const lacking = (shown: string) =>
    truth.map((all, i) => all.filter((text) => checks[i]?.(text, shown, all) === false).length)
  const [before, after] = [lacking(alone), lacking(both)]
  const leftOut = added?.leftOut ?? 0
  const missing = Math.max(0, after.reduce((sum, one) => sum + one, 0) - leftOut)
  const cells = truth.map((all, i) => `${before[i]} → ${after[i]} of ${all.length}`)
  return { cells: [...cells, leftOut], tokens: added?.tokens ?? 0, missing }
}

/** The files that calls wrote without an error, except those moved or deleted since. */
function filesIn(entries: readonly Entry[]): string[] {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
  const results = messages.flatMap((message) => resultsOf(message))
  const failed = new Set(results.filter(({ output }) => output.type.startsWith('error')).map((each) => each.toolCallId))
  const calls = messages.flatMap((message) => callsOf(message)).filter(({ toolCallId }) => !failed.has(toolCallId))
  const commands = calls.map(({ input }) => JSON.stringify(input)).filter((text) => /\b(?:mv|rm) /.test(text))
  const paths = calls.flatMap(({ toolName, input }) => pathOf(toolName, input))
  return [...new Set(paths)].filter((path) => !commands.some((text) => text.includes(`${path} `)))
}

function pathOf(tool: string, input: unknown): string[] {
  if (!/^(?:write|edit|multiedit|notebookedit)$/i.test(tool) || typeof input !== 'object' || input === null) return []
  const path = 'file_path' in input ? input.file_path : 'path' in input ? input.path : undefined
  return typeof path === 'string' ? [path.replaceAll('\\', '/')] : []
}

function messagesIn(entries: readonly Entry[]): string[] {
  const typed = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user' ? [typedIn(entry)] : [],
  )
  return [...new Set(typed.filter((text) => text !== ''))]
}

function demandsIn(entries: readonly Entry[]): string[] {
  return [...new Set(messagesIn(entries).flatMap((text) => sentencesOf(text).filter(setsConstraint)))]
}

function isQuotedIn(text: string, shown: string): boolean {
  return quotable(shown).includes(beginning(text))
}

/** True when the demand is quoted, or most of its words are within a few lines. */
function isDemandIn(text: string, shown: string): boolean {
  if (isQuotedIn(text, shown)) return true
  const words = [...new Set(quotable(text).match(/[\p{L}\p{N}]{4,}/gu) ?? [])]
  const lines = quotable(shown.replaceAll('\n', ' ¶ ')).split('¶')
  return lines.some((_, i) => {
    const passage = lines.slice(i, i + 3).join(' ')
    return words.filter((word) => passage.includes(word.slice(0, 6))).length >= words.length * 0.6
  })
}

function isFileIn(path: string, shown: string, all: readonly string[]): boolean {
  const name = path.split('/').at(-1) ?? path
  const isAlone = all.filter((other) => other.split('/').at(-1) === name).length === 1
  return shown.includes(isAlone ? name : path.split('/').slice(-2).join('/'))
}
