import type { Todo } from '../../../model/todo.ts'

/** The to-dos in an argument of any agent: a list of objects or texts, JSON of one, or a Markdown list with boxes. */
export function todoItems(value: unknown): Todo[] | undefined {
  if (Array.isArray(value)) return value.flatMap((item) => todoItem(item) ?? [])
  if (typeof value !== 'string') return undefined
  const parsed = value.trimStart().startsWith('[{') ? parsedList(value) : undefined
  return parsed === undefined ? checklist(value) : todoItems(parsed)
}

/** The status of a to-do in our words; what we do not know is pending. */
export function todoStatus(value: unknown): Todo['status'] {
  return STATUS.get(String(value).toLowerCase().replaceAll('_', '-')) ?? 'pending'
}

const STATUS: ReadonlyMap<string, Todo['status']> = new Map<string, Todo['status']>([
  ['in-progress', 'in-progress'],
  ['doing', 'in-progress'],
  ['active', 'in-progress'],
  ['done', 'done'],
  ['completed', 'done'],
  ['complete', 'done'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
  ['deleted', 'cancelled'],
])

const TEXTS = ['text', 'content', 'step', 'description', 'title', 'subject', 'task'] as const

function todoItem(value: unknown): Todo | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : { text: value.trim(), status: 'pending' }
  if (typeof value !== 'object' || value === null) return undefined
  const item = value as Record<string, unknown>
  const text = TEXTS.map((name) => item[name]).find((text) => typeof text === 'string' && text.trim() !== '')
  if (typeof text !== 'string') return undefined
  const finished = item.done === true || item.completed === true
  return { text: text.trim(), status: finished ? 'done' : todoStatus(item.status) }
}

/** `- [ ]` pending, `- [x]` done, `- [-]`, `- [/]`, `- [~]` or `- [>]` in progress. */
function checklist(text: string): Todo[] | undefined {
  const items = text.split('\n').flatMap((line): Todo[] => {
    const match = /^\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s+(\S.*)$/.exec(line)
    if (match?.[1] === undefined || match[2] === undefined) return []
    const status = /[xX✓]/.test(match[1]) ? 'done' : match[1] === ' ' ? 'pending' : 'in-progress'
    return [{ text: match[2].trim(), status }]
  })
  return items.length === 0 ? undefined : items
}

function parsedList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
