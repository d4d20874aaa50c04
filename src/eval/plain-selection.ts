import { type Message, outputText, type Part, partsOf, type ToolCallPart } from '../model/types.ts'
import { messagesTokens } from '../tokens/estimate/estimator.ts'
import { featureEstimator } from '../tokens/estimate/feature-estimator.ts'
import type { Compactor, CompactRequest } from './compactor.ts'

type Line = { readonly at: number; readonly text: string; readonly worth: number }
type Ended = {
  readonly call: ToolCallPart
  readonly command: string
  readonly output: string
  readonly failed: boolean
}

export const name = 'plain selection'
export const PLAIN_SELECTION: Compactor = {
  name,
  from: 'plain selection: one list of lines by a fixed value',
  compact: async ({ messages, ...options }) => ({ messages: compact(messages, options) }),
}

/** The whole log of each session, and the length of the last answer, with which the next request begins. */
const sessions = new Map<string, { readonly log: readonly Message[]; readonly answered: number }>()
const HEAD =
  'Earlier in this session, oldest first, then the last state of files. "User:" is what the user said, ">" a quote.'

/** The newest messages, after one message with those lines of the whole session that are worth most for their length. */
export default function compact(messages: readonly Message[], options: Omit<CompactRequest, 'messages'>): Message[] {
  const before = options.round > 1 ? sessions.get(options.session) : undefined
  const log = before === undefined ? messages : [...before.log, ...messages.slice(before.answered)]
  const system = log.filter(({ role }) => role === 'system')
  const lines = linesOf(log).map((line) => ({ ...line, tokens: featureEstimator.text(line.text) + 1 }))
  lines.sort((a, b) => b.worth / b.tokens - a.worth / a.tokens)
  const room = options.targetTokens - tokensOf([...system, { role: 'user', content: HEAD }]) - 8
  let answer: Message[] = []
  // The newest messages get two fifths of the room, and more if the lines leave some.
  for (let share = 0.4, left = room; share < 0.9 && left > room / 20; share += 0.1) {
    const from = tailStart(log, options.unreadTokens + share * (room - options.unreadTokens))
    const tail = fitting(log.slice(from), room)
    left = room - tokensOf(tail)
    const chosen: Line[] = []
    for (const line of lines) {
      if (line.tokens > left || (line.at >= from && line.at < log.length)) continue
      left -= line.tokens
      chosen.push(line)
    }
    const content = [HEAD, ...chosen.sort((a, b) => a.at - b.at).map(({ text }) => text)].join('\n')
    answer = [...system, { role: 'user', content }, ...tail]
  }
  sessions.set(options.session, { log, answered: answer.length })
  return answer
}

const tokensOf = (messages: readonly Message[]) => messagesTokens(messages, featureEstimator)

/** The newest messages that fit begin here. What the model has not read stays, and a result stays with its call. */
function tailStart(log: readonly Message[], budget: number): number {
  const unread = log.findLastIndex(({ role }) => role === 'assistant') + 1
  let from = log.length
  for (let left = budget; from > 0; from--) {
    left -= tokensOf(log.slice(from - 1, from))
    if (left < 0 && from <= unread) break
  }
  while (log[from]?.role === 'tool') from += from < unread ? 1 : -1
  return from
}

/** Messages as every provider takes them: calls and results in pairs, no empty text, and long texts cut until they fit. */
function fitting(messages: readonly Message[], tokens: number): Message[] {
  const ids = messages.flatMap(partsOf).map((part) => 'toolCallId' in part && `${part.type} ${part.toolCallId}`)
  const isWhole = (part: Part) => {
    if (part.type === 'text') return part.text.trim() !== ''
    return !('toolCallId' in part) || ['call', 'result'].every((one) => ids.includes(`tool-${one} ${part.toolCallId}`))
  }
  const whole = messages.map((message) => ({ ...message, content: partsOf(message).filter(isWhole) }) as Message)
  let cut = whole.filter(({ role, content }) => role !== 'system' && content.length > 0)
  for (let most = 40_000; most > 200 && tokensOf(cut) > tokens; most /= 2)
    cut = JSON.parse(JSON.stringify(cut), (key, value) => {
      const isLong = typeof value === 'string' && value.length > most && !/^(?:data|image|signature)$/.test(key)
      return isLong ? `${value.slice(0, most / 2)} […] ${value.slice(10 - most / 2)}` : value
    })
  return cut
}

function stringsOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(stringsOf)
}

function namesIn(text: string): string[] {
  const words = text.match(/https?:\/\/[^\s"'`<>)\]]+|[\w@~./-]*\w/g) ?? []
  return words.filter((word) => word.length >= 5 && /[a-z][A-Z]|\w[_./]\w|\d/.test(word))
}

/** Everything that could be said of a log, each line with its worth. What is true at the end comes after the log. */
function linesOf(log: readonly Message[]): Line[] {
  const lines = new Map<string, Line>()
  const add = (at: number, worth: number, text: string, key = text) => lines.set(key, { at, text, worth })
  const quote = (at: number, worth: number, text: string) => add(at, worth, `> ${text.trim().replaceAll('\n', '\n> ')}`)
  const [files, lastSaid] = [new Map<string, string>(), new Map<string, number>()]
  const open = new Set<ToolCallPart>()
  const outputs: [number, string][] = []
  let todos: Record<string, string>[] = []
  for (const [at, part, role] of log.flatMap((one, i) => partsOf(one).map((part) => [i, part, one.role] as const))) {
    const said = part.type === 'text' ? part.text : part.type === 'tool-call' ? stringsOf(part.input).join('\n') : ''
    for (const one of namesIn(said)) lastSaid.set(one, at)
    if (part.type === 'tool-call') open.add(part)
    const call = part.type === 'tool-result' && [...open].find(({ toolCallId }) => toolCallId === part.toolCallId)
    if (part.type === 'tool-result' && call) {
      open.delete(call)
      const output = outputText(part.output)
      outputs.push([at, output])
      const ends = `${output.slice(0, 300)}\n${output.slice(-300)}`
      const code = /exit(?:ed)?(?: with)?[ _]?(?:code|status)\W{0,3}(\d+)/i.exec(ends)?.[1] ?? '0'
      const failed = code !== '0' || /^error|denied/.test(part.output.type)
      // Some agents give a list of words, such as `bash -lc "…"`, and some edit with a tool whose argument is `command`.
      const { command: given, cmd = given, ...others } = Object(call.input)
      const command = others.path === undefined ? String((Array.isArray(cmd) ? cmd.at(-1) : cmd) ?? '').trim() : ''
      const [first = ''] = command.split('\n')
      if (first !== '') add(at, 40, `\`${first.slice(0, 160)}\`: ${failed ? 'failed' : 'ok'}`, first)
      const error = failed ? output.split('\n').find((line) => ERROR.test(line)) : undefined
      quote(at, 40, (error ?? '').trim().slice(0, 200))
      follow(files, { call, command, output, failed })
      todos = Object.values<Record<string, string>[]>(others).find((list) => list?.[0]?.status) ?? todos
    } else if (part.type === 'text' && role === 'assistant')
      for (const [k, text] of said.split(/\n{2,}/).entries())
        quote(at + k / 1e3, 25 + 5 * new Set(namesIn(text)).size, text.slice(0, 600))
    else if (part.type === 'text' && role === 'user') {
      // Of a long message the beginning, and what is not pasted. What programs say for the user begins with a tag.
      add(at, /^\s*<[a-z]/i.test(said) ? 100 : 1_000, `User: ${said.slice(0, 1_000)}`)
      const prose = said.replace(/```.*?(?:```|$)/gs, '').split('\n')
      for (const [k, line] of prose.entries())
        if (!said.slice(0, 1_000).includes(line)) add(at + (k + 1) / 1e6, 80, line.slice(0, 400))
    }
  }
  for (const { status, content, step = content, title = step } of todos)
    add(log.length, 90, `To-do (${status}): ${title}`)
  for (const [path, state] of files) add(log.length + 1, state === 'read' ? 20 : 80, `File ${path}: ${state}`)
  const shown = new Set([...lines.values()].flatMap(({ text }) => namesIn(text)))
  for (const [at, output] of outputs.reverse())
    for (const line of output.split('\n')) {
      const again = new Set(namesIn(line).filter((one) => (lastSaid.get(one) ?? 0) > at && !shown.has(one)))
      for (const one of again) shown.add(one)
      if (again.size > 0) quote(at, 8 * again.size, line.trim().slice(0, 200))
    }
  return [...lines.values()].filter(({ text }) => text.length > 2)
}

const ERROR = /^\s*(?=.{12}).*(?:error|exception|fail|fatal|panic|cannot|not found|no such|denied|invalid)/i
const GIT = /(?<![^\s;&|(])git\s+((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^;&|()"'\\\n])+)/gs
const WORD = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs

/** Follows the states of files: by calls of edit tools, and by git in any shell command. */
function follow(files: Map<string, string>, { call, command, output, failed }: Ended): void {
  const isEdit = /edit|write|replace|patch|create|insert/i.test(call.toolName) && Object(call.input).command !== 'view'
  const isFile = !failed && (isEdit || /read|view|open|edit/i.test(call.toolName))
  for (const [key, path] of isFile ? Object.entries<string>(Object(call.input)) : [])
    if (/path$|^file$/i.test(key)) files.set(path, isEdit ? 'uncommitted' : (files.get(path) ?? 'read'))
  const patch = failed ? '' : stringsOf(call.input).join('\n')
  for (const [, path = ''] of patch.matchAll(/^\*\*\* \w+ File: (.+)$/gm)) files.set(path, 'uncommitted')
  const hashes = output.matchAll(/^\[[^\]\n]*\b([0-9a-f]{7,40})\]/gm)
  for (const [, git = ''] of command.matchAll(GIT)) {
    const words = Array.from(git.matchAll(WORD), ([word]) => word.replace(/["'\\]/g, ''))
    const start = words.findIndex((word, i) => !word.startsWith('-') && !/^-[cC]$/.test(words[i - 1] ?? ''))
    const [verb, ...rest] = words.slice(Math.max(0, start))
    const flags = rest.filter((word) => word.startsWith('-')).join(' ')
    const named = rest.slice(rest.indexOf('--') + 1).filter((word) => !word.startsWith('-'))
    // Without `--`, a word of `checkout` may be a branch.
    const paths = named.filter((word) => verb !== 'checkout' || rest.includes('--') || /\.\w*$/.test(word))
    const isMeant = (path: string) => paths.some((one) => `/${path}/`.includes(`/${one.replace(/^\.?\/|\/$/g, '')}/`))
    const changed = [...files.keys()].filter((path) => files.get(path)?.startsWith('uncommitted'))
    const isAll = /(?:^| )(?:-[a-z]*a|--all|--hard)/i.test(flags) || rest.includes('.')
    const meant = isAll ? changed : changed.filter(isMeant)
    const staged = changed.filter((path) => files.get(path)?.endsWith('staged'))
    const hash = verb === 'commit' ? hashes.next().value?.[1] : undefined
    if (failed && hash === undefined) continue
    const set = (some: string[], state: string) => some.forEach((path) => files.set(path, state))
    if (verb === 'add') set(meant, 'uncommitted, staged')
    if (verb === 'commit') set(meant.length > 0 ? meant : staged, `committed ${hash ?? ''}`)
    if (verb === 'mv') for (const path of files.keys()) if (path.endsWith(named[0] ?? ' ')) files.delete(path)
    if (verb === 'mv') set(named.slice(-1), 'uncommitted, staged')
    const isUndone = /^(?:checkout|restore)$/.test(verb ?? '') && !flags.includes('--staged')
    if (isUndone || flags.includes('--hard')) set(meant, 'reverted')
  }
}
