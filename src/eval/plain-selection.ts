import { type Message, outputText, partsOf, type ToolCallPart } from '../model/types.ts'
import { messagesTokens } from '../tokens/estimate/estimator.ts'
import { featureEstimator } from '../tokens/estimate/feature-estimator.ts'
import type { Compactor, CompactRequest } from './compactor.ts'

/** A line about message `at`; what is true at the end comes after all messages. `value` is its worth for each token. */
type Line = { readonly at: number; readonly text: string; readonly tokens: number; readonly value: number }

/** The worth of a line of each kind, set by hand. */
const WORTH = { user: 1_000, request: 80, agent: 40, command: 40, error: 40, todo: 80, file: 60, name: 6 }
const HEAD = 'Earlier in this session, oldest first, then files with their last state. "User:" is the user.'

export const PLAIN_SELECTION: Compactor = {
  name: 'plain selection',
  from: 'the newest messages, and lines of the whole session by a fixed value',
  compact: async ({ messages, ...options }) => ({ messages: compact(messages, options) }),
}

/** The whole log of each session, and the length of the last answer, with which the next request begins. */
const sessions = new Map<string, { readonly whole: readonly Message[]; readonly answered: number }>()

/** Two fifths are for the newest messages, the rest for lines from the whole log; what they leave goes to messages. */
export default function compact(messages: readonly Message[], options: Omit<CompactRequest, 'messages'>): Message[] {
  const before = options.round > 1 ? sessions.get(options.session) : undefined
  const whole = before === undefined ? messages : [...before.whole, ...messages.slice(before.answered)]
  const system = whole.filter(({ role }) => role === 'system')
  const log = whole.filter(({ role }) => role !== 'system')
  const room = options.targetTokens - tokensOf([...system, { role: 'user', content: HEAD }])
  let left = 0.6 * Math.max(room - options.unreadTokens, room / 10)
  const from = log.length - newest(log, room - left).length
  const lines = linesOf(log).filter(({ at }) => at < from || at === log.length)
  const chosen = new Set<Line>()
  for (const line of lines.toSorted((a, b) => b.value - a.value)) {
    if (line.tokens > left) continue
    left -= line.tokens
    chosen.add(line)
  }
  const content = [HEAD, ...lines.filter((line) => chosen.has(line)).map(({ text }) => text)].join('\n')
  const head: Message[] = [...system, { role: 'user', content }]
  const answer = [...head, ...newest(log, options.targetTokens - tokensOf(head))]
  sessions.set(options.session, { whole, answered: answer.length })
  return answer
}

const tokensOf = (messages: readonly Message[]) => messagesTokens(messages, featureEstimator)

/** The newest messages that fit. From the last answer on all stay, with long texts cut, and a result with its call. */
function newest(log: readonly Message[], tokens: number): readonly Message[] {
  let from = log.findLastIndex(({ role }) => role === 'assistant')
  while (from > 0 && tokensOf(log.slice(from - 1)) <= tokens) from--
  while (log[from]?.role === 'tool') from++
  let cut = log.slice(from)
  const isText = (key: string, value: unknown) => typeof value === 'string' && !/^(?:data|image|signature)$/.test(key)
  for (let most = 20_000; most > 100 && tokensOf(cut) > tokens; most /= 2)
    cut = JSON.parse(JSON.stringify(cut), (key, value) => (isText(key, value) ? clip(value, most, most) : value))
  return cut
}

/** The beginning and the end of a text. No name is cut in two. */
function clip(text: string, first: number, last = 0): string {
  if (text.length <= first + last) return text
  const end = text.slice(text.length - last).replace(/^[\w@%+~./:\ud800-\udfff-]+/, '')
  return `${text.slice(0, first).replace(/[\w@%+~./:\ud800-\udfff-]+$/, '')} […] ${end}`
}

const textsIn = (of: unknown): string[] => (typeof of === 'string' ? [of] : Object.values(Object(of)).flatMap(textsIn))
const NAME = /https?:\/\/[^\s"'`<>)\]]+|(?=[\w@~./-]*(?:[a-z][A-Z]|\w[_./]\w|\d))[\w@~./-]{4,}\w/g
const ERROR = /^\s*(?=.{12}).*(?:error|exception|fail|fatal|panic|cannot|not found|no such|denied|invalid)/i
const EXIT = /(?:exit(?:ed)?(?: with)?|return)[ _]?(?:code|status)\W{0,3}[1-9]/i
const COMMITTED = /^\[[^\]\n]*\b([0-9a-f]{7,40})\]/gm

/** All that can be said of a log, oldest first. A long message of the user is also there line by line, without pastes. */
function linesOf(log: readonly Message[]): Line[] {
  const lines = new Map<string, Line>()
  const add = (at: number, worth: number, said: string, key = said) => {
    const [text, tokens] = [said.trim(), featureEstimator.text(said) + 1]
    if (text !== '') lines.set(key, { at, text, tokens, value: worth / tokens })
  }
  const [files, lastUsed] = [new Map<string, string>(), new Map<string, number>()]
  const outputs: [number, string][] = []
  let todos: Record<string, string>[] = []
  const results = Map.groupBy(log.flatMap(partsOf), (part) => part.type === 'tool-result' && part.toolCallId)
  for (const [at, part, role] of log.flatMap((one, i) => partsOf(one).map((part) => [i, part, one.role] as const))) {
    const said = part.type === 'text' ? part.text : part.type === 'tool-call' ? textsIn(part.input).join('\n') : ''
    for (const one of said.match(NAME) ?? []) lastUsed.set(one, at)
    if (part.type === 'text' && role === 'assistant')
      for (const text of said.split(/\n\s*\n/)) add(at, WORTH.agent, clip(text, 600))
    if (part.type === 'text' && role === 'user') {
      const first = clip(said, 1_100)
      add(at, WORTH.user, `User: ${first}`)
      for (const line of said.replace(/```.*?(?:```|$)/gs, '').split('\n'))
        if (!first.includes(line)) add(at, WORTH.request, clip(line, 400))
    }
    const result = part.type === 'tool-call' ? results.get(part.toolCallId)?.shift() : undefined
    if (part.type !== 'tool-call' || result?.type !== 'tool-result') continue
    const output = outputText(result.output)
    const failed =
      /^error|denied/.test(result.output.type) || EXIT.test(`${output.slice(0, 300)}\n${output.slice(-300)}`)
    // Some agents give a list of words, such as `bash -lc "…"`, and some edit with a tool that has a `command`.
    const { command: given, cmd = given, path } = Object(part.input)
    const command = path === undefined ? String([cmd].flat().at(-1) ?? '').trim() : ''
    const [first = ''] = command.split('\n')
    if (first !== '') add(at, WORTH.command, `\`${clip(first, 160)}\`: ${failed ? 'failed' : 'ok'}`, first)
    if (failed) add(at, WORTH.error, clip(output.split('\n').find((line) => ERROR.test(line)) ?? '', 200))
    todos = Object.values<Record<string, string>[]>(Object(part.input)).find((list) => list?.[0]?.status) ?? todos
    const hashes = Array.from(output.matchAll(COMMITTED), ([, hash]) => hash)
    if (!failed || hashes.length > 0) follow(files, part, command, hashes)
    outputs.push([at, output])
  }
  for (const { status, content, step = content } of todos) add(log.length, WORTH.todo, `To-do (${status}): ${step}`)
  for (const [path, state] of files) add(log.length, WORTH.file, `File ${path}: ${state}`)
  // Lines of output with names that were used again, and that no other line has.
  const shown = new Set([...lines.values()].flatMap(({ text }) => text.match(NAME) ?? []))
  for (const [at, output] of outputs.reverse())
    for (const line of output.split('\n')) {
      const again = (line.match(NAME) ?? []).filter((one) => (lastUsed.get(one) ?? 0) > at && !shown.has(one))
      for (const one of again) shown.add(one)
      add(at, WORTH.name * again.length, again.length > 0 ? clip(line, 200) : '')
    }
  return [...lines.values()].sort((a, b) => a.at - b.at)
}

const PATCHED = /^\*\*\* (?:\w+ File|Move to): (.+)$/gm
const QUOTED = /"(?:\\.|[^"\\])*"|'[^']*'|\\\n/gs
const GIT =
  /(?<![\w./-])git(?: -[cC] \S+| -\S+)* (add|mv|commit|restore(?! --staged)|checkout(?=.* -- )|reset(?= --hard))\b([^;&|\n]*)/g

/** Follows the states of files: tools read and edit them, and git takes them further. A text in quotes is one word. */
function follow(files: Map<string, string>, call: ToolCallPart, command: string, hashes: (string | undefined)[]): void {
  const isEdit = /edit|write|replace|patch|create|insert/i.test(call.toolName) && Object(call.input).command !== 'view'
  const input = Object.entries(Object(call.input))
  for (const path of input.flatMap(([key, value]) => (/path$|^file$/i.test(key) ? textsIn(value) : [])))
    files.set(path, isEdit ? 'uncommitted' : (files.get(path) ?? 'read'))
  for (const [, path = ''] of textsIn(call.input).join('\n').matchAll(PATCHED)) files.set(path, 'uncommitted')
  const flat = command.replace(QUOTED, (text) => text.replace(/["']/g, '').replace(/[\s;&|]+/g, '_'))
  for (const [git, verb = '', rest = ''] of flat.matchAll(GIT)) {
    const words = Array.from(rest.matchAll(/(?:\.+\/)*(\S+?)\/?(?=\s|$)/g), ([, word = '']) => word)
    const state = verb === 'commit' ? 'committed' : /add|mv/.test(verb) ? 'uncommitted, staged' : 'reverted'
    const hash = verb === 'commit' ? hashes.shift() : undefined
    const isAll = / (?:-[a-z]*a[a-z]*|--all|--hard|\.)(?: |$)/i.test(git)
    for (const [path, was] of files) {
      const isStaged = verb === 'commit' && was.endsWith('staged')
      if (!isAll && !isStaged && !words.some((word) => `/${path}/`.includes(`/${word}/`))) continue
      if (verb === 'mv') files.delete(path)
      else if (was.startsWith('uncommitted')) files.set(path, hash === undefined ? state : `${state} ${hash}`)
    }
    if (verb === 'mv') files.set(words.at(-1) ?? '', state)
  }
}
