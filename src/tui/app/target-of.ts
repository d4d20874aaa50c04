import { jsonText } from '../../model/message.ts'
import { firstLine } from '../parts/safe-text.ts'

const MOST = 200

/** What a call is about, in one line: its command, path or pattern. */
export function targetOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return firstLine(jsonText(input), MOST)
  const { command, path, pattern, handles, text, todos } = input as Record<string, unknown>
  if (typeof command === 'string') return firstLine(command, MOST)
  if (typeof pattern === 'string') return firstLine(`${pattern}${typeof path === 'string' ? ` in ${path}` : ''}`, MOST)
  if (typeof path === 'string') return firstLine(path, MOST)
  const other = [handles, text].find((value) => typeof value === 'string')
  if (typeof other === 'string') return firstLine(other, MOST)
  if (Array.isArray(todos)) return `${todos.length} to-dos`
  const json = jsonText(input)
  return json === '{}' ? '' : firstLine(json, MOST)
}
