import type { Message, Part } from '../../model/types.ts'
import { allNamesIn } from '../truth/needed.ts'
import { saysState } from './claims.ts'

/** A context without its lists of bare names, wherever they stand. What is in the session word for word is no list of the compactor's. */
export function withoutLists(context: readonly Message[], source: string): Message[] {
  const reduced = (value: unknown): unknown => {
    if (typeof value === 'string') return source.includes(value) ? value : withoutNameLists(value)
    if (Array.isArray(value)) return value.map(reduced)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, reduced(one)]))
  }
  const part = (one: Part): unknown => {
    if (one.type === 'text') return { ...one, text: reduced(one.text) }
    if (one.type === 'tool-call') return { ...one, input: reduced(one.input) }
    return one.type === 'tool-result' ? { ...one, output: reduced(one.output) } : one
  }
  return context.map((message) => {
    const { content } = message
    return { ...message, content: typeof content === 'string' ? reduced(content) : content.map(part) } as Message
  })
}

/** Names in a row, or the same words around so many names, before they are a list. */
const LEAST_IN_ROW = 4
const LEAST_ALIKE = 8

/** A text without its lists of bare names, whatever separates them. A list names much and says nothing about it. */
export function withoutNameLists(text: string): string {
  const lines = text.split('\n')
  const names = lines.map(bareNames)
  const words = lines.map((line) => (saysState(line) || allNamesIn(line).length === 0 ? '' : wordsAround(line)))
  const alike = Map.groupBy(words, (around) => around)
  const isListed = lines.map((_, at) => {
    const around = words[at] ?? ''
    return around !== '' && (alike.get(around)?.length ?? 0) >= LEAST_ALIKE
  })
  let from = 0
  for (let to = 0; to <= lines.length; to++) {
    if (to < lines.length && (names[to] !== 0 || lines[to]?.trim() === '')) continue
    const row = names.slice(from, to).reduce((sum, count) => sum + count, 0)
    if (row >= LEAST_IN_ROW) isListed.fill(true, from, to)
    from = to + 1
  }
  return lines.filter((_, at) => isListed[at] !== true).join('\n')
}

/** The number of names on a line of which they are nearly all; 0 on any other. */
function bareNames(line: string): number {
  const items = line
    .replace(/^\s*(?:[-*•>]|\d+[.)])?\s*(?:[^,:;|]{1,80}:\s+)?/, '')
    .split(/[\s,;|]+/)
    .map((item) => item.replace(/^[`"'[\]{}<>*(]+|[`"'[\]{}<>*.…)]+$/g, ''))
    .filter((item) => /\w/.test(item) && !/^(?:and|or|also)$/.test(item))
  const count = items.filter((item) => /^[\w$@#.:/+~-]+$/.test(item) && allNamesIn(item).length > 0).length
  return count >= items.length * MOST ? count : 0
}

const MOST = 0.75

function wordsAround(line: string): string {
  const words = line.split(/\s+/).filter((word) => allNamesIn(word).length === 0)
  return words
    .join(' ')
    .replace(/[^\p{L}\s]+/gu, '')
    .trim()
}
