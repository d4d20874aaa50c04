import { type Message, outputText, partsOf } from '../../model/types.ts'
import type { LastSeen } from './facts.ts'
import { exactNames } from './names.ts'
import { toolSteps } from './steps.ts'

/**
 * Names that the agent used after the cut from memory: in a call or its words, when nothing after the cut had shown them
 * yet, but something before it had. Each with the message in which it was last seen before.
 */
export function neededLater(before: readonly Message[], after: readonly Message[]): Map<string, LastSeen> {
  const used = fromMemory(after)
  const texts = before.map(messageShown)
  const found = new Map<string, LastSeen>()
  for (const name of used) {
    const message = texts.findLastIndex((text) => text.includes(name))
    if (message !== -1) found.set(name, { message })
  }
  return found
}

/** A name counts as used if the agent says it before anything else after the cut shows it. */
function fromMemory(after: readonly Message[]): Set<string> {
  const used = new Set<string>()
  const shown: string[] = []
  for (const message of after) {
    if (message.role === 'assistant') {
      const names = new Set([...partsOf(message).flatMap(namesUsed)])
      for (const name of names) if (!shown.some((text) => text.includes(name))) used.add(name)
    } else shown.push(messageShown(message))
  }
  return used
}

function namesUsed(part: ReturnType<typeof partsOf>[number]): string[] {
  const text = part.type === 'text' ? part.text : part.type === 'tool-call' ? stringsOf(part.input).join('\n') : ''
  return allNamesIn(text)
}

const NEXT_CALLS = 15

/** The names in the next 15 calls that something before had shown. */
export function nextNames(after: readonly Message[], source: string): string[] {
  const next = toolSteps(after).slice(0, NEXT_CALLS)
  const names = next.flatMap(({ input }) => allNamesIn(stringsOf(input).join('\n')))
  return [...new Set(names)].filter((name) => source.includes(name))
}

/** Files, identifiers, URLs, hashes and versions in a text. */
export function allNamesIn(text: string): string[] {
  return [
    ...fileNames(text),
    ...(['identifier', 'url', 'hash', 'version'] as const).flatMap((kind) => exactNames(kind, text)),
  ]
}

/** The last part of each path with an extension. A pattern for all of it would take minutes for a picture as text. */
function fileNames(text: string): string[] {
  const words = text.match(/[\w@.+~/-]+/g) ?? []
  const names = words.map((word) => word.slice(word.lastIndexOf('/') + 1).replace(/^[.~]+|[.+~]+$/g, ''))
  return names.filter((name) => name.length >= 5 && EXTENSION.test(name))
}

const EXTENSION = /[^.]\.[A-Za-z]\w{0,4}$/

/** All texts in a value, unescaped, as they would not be in JSON. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}

/** All that a message shows: words, arguments of calls and results, but not reasoning. */
export function messageShown(message: Message): string {
  return partsOf(message)
    .map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'tool-call') return [part.toolName, ...argumentLines(part.input)].join('\n')
      return part.type === 'tool-result' ? outputText(part.output) : ''
    })
    .join('\n')
}

/** One line for each text, and one for each item of a list, so that the parts of an item stay on one line. */
function argumentLines(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return stringsOf(input)
  return Object.values(input).flatMap((value) =>
    Array.isArray(value) ? value.map((item) => stringsOf(item).join(' ')) : stringsOf(value),
  )
}
