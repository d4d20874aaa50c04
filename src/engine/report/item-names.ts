import { oneLine } from '../../model/text.ts'
import { callsOf, type Item, jsonText, resultsOf, type Seq, textOf } from '../../model/types.ts'
import { tokensAt } from '../../tokens/sizes.ts'
import type { Context } from '../context/context.ts'
import { counted } from './numbers.ts'

/** The names of the items of a view: a result is named after its call, a message after its first words. */
export function itemNames(items: readonly Item[], characters = 48): string[] {
  const calls = new Map<string, string>()
  return items.map((item) => {
    for (const call of callsOf(item.message)) calls.set(call.toolCallId, callName(call, characters))
    return nameOf(item, characters, calls)
  })
}

function nameOf(item: Item, characters: number, calls: ReadonlyMap<string, string>): string {
  const { message } = item
  if (item.kind === 'summary') return `summary of #${Math.max(1, item.from)}–#${item.upTo}`
  const [result] = message.role === 'tool' ? resultsOf(message) : []
  if (result !== undefined) return calls.get(result.toolCallId) ?? result.toolName
  const text = oneLine(textOf(message), characters)
  const [call] = callsOf(message)
  if (text === '' && call !== undefined) return `call of ${callName(call, characters)}`
  return `${message.role}: ${text}`
}

/** A name without the common folder of a session's files, and without the `cd` command to it. */
export function withoutFolder(name: string, folder: string | undefined): string {
  if (folder === undefined || folder === '') return name
  return name.replace(`cd ${folder} && `, '').replaceAll(`${folder}${folder.includes('\\') ? '\\' : '/'}`, '')
}

/** The name of a call: its tool and its target. */
export function callName(call: { readonly toolName: string; readonly input: unknown }, characters = 48): string {
  const target = callTarget(call.input)
  return oneLine(target === '' ? call.toolName : `${call.toolName} ${target}`, characters)
}

/** The target of a call: its command, pattern, path or query. Its length is not limited: the caller cuts it to its own line. */
export function callTarget(input: unknown): string {
  if (typeof input !== 'object' || input === null) return jsonText(input)
  const named = input as Record<string, unknown>
  const command = commandLineIn(input)
  if (command !== undefined) return command
  const path = textAmong(named, ['file_path', 'path', 'filePath'])
  if (typeof named.pattern === 'string') return path === undefined ? named.pattern : `${named.pattern} in ${path}`
  const other = path ?? textAmong(named, ['query', 'url', 'description', 'prompt', 'handles', 'search', 'text'])
  if (other !== undefined) return other
  if (Array.isArray(named.todos)) return counted(named.todos.length, 'to-do')
  const json = jsonText(input)
  return json === '{}' ? '' : json
}

/** The command line that a call runs; undefined if it runs none. */
export function commandLineIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  return textAmong(input as Record<string, unknown>, ['command', 'cmd'])
}

function textAmong(named: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  const value = keys.map((key) => named[key]).find((each) => typeof each === 'string' || Array.isArray(each))
  return Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : undefined
}

/** The name and the size of an item of a view. */
type LargeItem = { readonly seq: Seq; readonly name: string; readonly tokens: number }

/** The largest items of a view, the largest first. */
export function largestItems({ sizes }: Pick<Context, 'sizes'>, count: number, nameCharacters?: number): LargeItem[] {
  const items = sizes.items.slice()
  const names = itemNames(items, nameCharacters)
  return items
    .map(({ seq }, index) => ({ seq, name: names[index] ?? '', tokens: tokensAt(sizes, index) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, count)
}
