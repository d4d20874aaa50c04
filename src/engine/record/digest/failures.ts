import type { ErrorFact, Index } from '../../../model/log-index.ts'
import { checkName } from '../../facts/calls/check-result.ts'
import { errorState, openErrors, standingErrors } from '../../facts/error-state.ts'
import { clip } from '../../text/clip.ts'
import { handle } from '../../text/handle.ts'
import { pathLine } from '../escape.ts'
import type { Evidence } from './evidence.ts'
import { troublesOf } from './findings.ts'
import type { DatedSnippet, Snippet } from './render-within.ts'
import type { DigestTurn } from './turns-of.ts'

const CHARACTERS = [240, 200, 160, 110, 70] as const

/** No more of those that are over: they only tell what not to try again. */
const MOST_RESOLVED = 12

/** What was tried and failed: errors that nothing resolves, checks whose last run counts failures, then what is over, what was said. */
export function failuresOf(index: Index, checks: readonly Evidence[], turns: readonly DigestTurn[]): Snippet[] {
  const known = new Set(index.errors.map(({ seq }) => seq))
  const failing = checks.filter(({ failed, seq }) => failed && !known.has(seq))
  const said = troublesOf(turns).map((snippet) => ({ ...snippet, priority: snippet.priority - SAID }))
  const all = [
    ...errorsOf(index, checks),
    ...failing.map((check) => ({ ...check, priority: check.priority + OPEN })),
    ...said,
  ]
  return all.toSorted((a, b) => a.seq - b.seq)
}

/** More than any seq: what is open comes before what is over, and that before what was only said. */
const OPEN = 1e9
const SAID = 2e9

function errorsOf(index: Index, checks: readonly Evidence[]): DatedSnippet[] {
  const passed = new Map(checks.flatMap(({ failed, name, seq }) => (failed ? [] : [[name, seq] as const])))
  const sinceOf = (error: ErrorFact) => resolvedAt(error, index, passed)
  const open = openErrors(index).filter((error) => sinceOf(error) === undefined)
  const over = standingErrors(index)
    .filter((error) => sinceOf(error) !== undefined)
    .filter((error) => !passedAgain(error, passed))
    .slice(-MOST_RESOLVED)
  const snippets = (errors: readonly ErrorFact[], more: number): DatedSnippet[] =>
    errors.map((error) => ({
      seq: error.seq,
      priority: error.seq + more,
      render: (level) => lineOf(error, sinceOf(error), CHARACTERS[level] ?? 70),
    }))
  return [...snippets(over, 0), ...snippets(open, OPEN)]
}

/** What the log has on it since, if anything. */
function resolvedAt(error: ErrorFact, index: Index, passed: ReadonlyMap<string, number>): string | undefined {
  const state = errorState(error, index)
  if (state.kind === 'mended') return `then \`${clip(state.command, 60)}\` passed ${handle(state.seq)}`
  if (state.kind !== 'open') return `${state.kind === 'passed' ? 'passed' : 'changed'} since ${handle(state.seq)}`
  return passedAgain(error, passed) ? `passed since ${handle(passed.get(nameOf(error)) ?? 0)}` : undefined
}

/** The check itself says that it passed later. */
function passedAgain(error: ErrorFact, passed: ReadonlyMap<string, number>): boolean {
  return (passed.get(nameOf(error)) ?? 0) > error.seq
}

function nameOf({ command }: ErrorFact): string {
  return command === undefined ? '' : checkName(command)
}

function lineOf(error: ErrorFact, since: string | undefined, characters: number): string {
  const label = labelOf(error, characters * 0.4)
  return `- ${handle(error.seq)} ${label}${clip(error.text, characters)}${since === undefined ? '' : ` (${since})`}`
}

/** What was run; of a tool that was given a file, the file's name too: “Read: does not exist” says nothing. */
function labelOf({ command, path }: ErrorFact, characters: number): string {
  if (command === undefined) return ''
  const file = path === undefined ? '' : ` ${pathLine(path.split('/').slice(-2).join('/'))}`
  return `\`${clip(command, characters)}${file}\`: `
}
