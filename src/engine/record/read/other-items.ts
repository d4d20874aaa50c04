import type { CommandFact, ErrorFact, TodoFact } from '../../../model/facts/log-index.ts'
import type { StatementFact } from '../../../model/facts/statement-fact.ts'
import type { Todo } from '../../../model/todo.ts'
import { unescaped } from '../escape.ts'

/** A to-do list by its lines in a record, as of an entry. What was done is only counted there. */
export function todosIn(lines: readonly string[], seq: number): TodoFact[] {
  const items = lines.flatMap((line): Todo[] => {
    const [, mark, text] = /^- \[([ ~])\] (.+)$/.exec(line) ?? []
    return text === undefined ? [] : [{ text: unescaped(text), status: mark === ' ' ? 'pending' : 'in-progress' }]
  })
  const named = items.map(({ text, status }) => ({ status, parts: /^\(([^()\s]{1,40})\) (.+)$/.exec(text) }))
  if (items.length === 0 || named.some(({ parts }) => parts === null))
    return items.length === 0 ? [] : [{ kind: 'list', seq, items }]
  return named.map(({ status, parts }) => ({ kind: 'change', seq, id: parts?.[1] ?? '', text: parts?.[2], status }))
}

/** A failure by its line in a record. */
export function failureIn(line: string): ErrorFact | undefined {
  const [, handle, command, text = ''] = /^- #(\d+) (?:`(.+?)`: )?(.+)$/.exec(line) ?? []
  if (handle === undefined) return undefined
  return { seq: Number(handle), text: unescaped(text), ...(command === undefined ? {} : { command }) }
}

/** What the agent said, by a line in a record. */
export function statementIn(line: string, kind: StatementFact['kind']): StatementFact | undefined {
  const [, handle, asked, text = ''] = /^- #(\d+)(?: \(to #(\d+)\))? (.+)$/.exec(line) ?? []
  if (handle === undefined) return undefined
  return { kind, seq: Number(handle), text: unescaped(text), ...(asked === undefined ? {} : { asked: Number(asked) }) }
}

const CHECK = /`(.+)` (ran|passed|FAILED)(?:: (\d+) passed(?:, (\d+) failed)?)? \(#(\d+)\)$/
const COMMAND = /^- (?:[^`]{1,40}: )?`(.+)`(?: ok)? \(#(\d+)(, its end is not known)?\)$/

/** A command by its line in a record: a check with how it ended, or one that works. */
export function commandIn(line: string): CommandFact | undefined {
  const check = CHECK.exec(line)
  if (check !== null) {
    const [, command = '', end, passed, failed = '0', handle] = check
    const tests = passed === undefined ? {} : { tests: { passed: Number(passed), failed: Number(failed) } }
    const ok = end === 'ran' ? {} : { ok: end === 'passed' }
    return { command: unescaped(command), seq: Number(handle), runs: 1, ...ok, ...tests }
  }
  const [, command, handle, unknown] = COMMAND.exec(line) ?? []
  if (command === undefined) return undefined
  return { command: unescaped(command), seq: Number(handle), runs: 1, ...(unknown === undefined ? { ok: true } : {}) }
}

/** Files that were read, or names, by a line that says their folder or their file once. */
export function groupIn(line: string): { readonly label: string; readonly names: readonly string[] } {
  const text = unescaped(line.replace(/^- /, ''))
  const [, label, names] = /^(.+?): (.+)$/.exec(text) ?? []
  if (label !== undefined && names !== undefined) return { label, names: names.split(', ') }
  const slash = text.lastIndexOf('/') + 1
  return slash > 0 && !text.includes(', ')
    ? { label: text.slice(0, slash), names: [text.slice(slash)] }
    : { label: '', names: text.split(', ') }
}
