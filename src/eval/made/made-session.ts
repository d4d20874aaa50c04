import type { Message } from '../../model/types.ts'
import { randomOf } from '../random.ts'
import type { TruthEvent, UnplacedEvent } from '../truth/events.ts'
import { LANGUAGES, type Language } from './languages.ts'
import {
  AREAS,
  CONCLUSIONS,
  DETOURS,
  GIVEN_UP,
  MEANWHILE,
  NOUNS,
  PASTES,
  PEOPLE,
  REASONS,
  REQUESTS,
  RULES,
  VERBS,
} from './words.ts'

/** A made-up session, and what is true in it, written down while it was made. */
export type MadeSession = {
  readonly name: string
  readonly messages: readonly Message[]
  readonly events: readonly TruthEvent[]
}

/** A session about a made-up project, of about this many characters. The same seed and size make the same session. */
export function madeSession(seed: number, characters: number): MadeSession {
  const language = LANGUAGES[seed % LANGUAGES.length] as Language
  const maker = new Maker(seed, language)
  maker.begin()
  while (maker.characters < characters) maker.turn()
  return { name: `${language.name}-${seed}`, messages: maker.messages, events: maker.events }
}

type Unit = { path: string; readonly test: string; readonly area: string; readonly module: string; name: string }
type Rule = { readonly at: number; readonly subject: string; text: string }
type Tools = { readonly read: string; readonly edit: string; readonly shell: string; readonly path: string }

/** The names that three agents have for their tools. */
const TOOLS: readonly Tools[] = [
  { read: 'Read', edit: 'Edit', shell: 'Bash', path: 'file_path' },
  { read: 'read', edit: 'edit', shell: 'bash', path: 'path' },
  { read: 'read_file', edit: 'replace', shell: 'run_shell_command', path: 'file_path' },
]

class Maker {
  readonly messages: Message[] = []
  readonly events: TruthEvent[] = []
  characters = 0
  readonly #random: () => number
  readonly #language: Language
  readonly #tools: Tools
  readonly #units: Unit[] = []
  readonly #rules: Rule[] = []
  #todos: { content: string; status: string }[] = []
  #dirty = new Set<string>()
  #calls = 0

  constructor(seed: number, language: Language) {
    this.#random = randomOf(seed * 7919 + 17)
    this.#language = language
    this.#tools = TOOLS[seed % TOOLS.length] as Tools
    for (let i = 0; i < 24; i++) this.#newUnit()
  }

  begin(): void {
    const unit = this.#pick(this.#units)
    const rules = [0, 1, 2].map(() => this.#newRule())
    this.#user(`${this.#fill(this.#pick(REQUESTS), unit)}\n\nHow we work here:\n- ${rules.join('\n- ')}`)
    this.#work(unit)
  }

  /** One request of the user and the work for it. */
  turn(): void {
    const unit = this.#pick(this.#units)
    const kind = this.#random()
    if (kind < 0.12) this.#detour(unit)
    else if (kind < 0.22) this.#takenBack(unit)
    else if (kind < 0.3) this.#renamed(unit)
    else if (kind < 0.38) this.#changedRule(unit)
    else if (kind < 0.46) this.#givenUp(unit)
    else {
      const request = this.#fill(this.#pick(REQUESTS), unit)
      const pasted = this.#random() < 0.35 ? this.#pasted(unit) : ''
      const rule = kind < 0.72 && this.#rules.length < RULES.length ? ` ${this.#newRule()}` : ''
      this.#user(`${request}${pasted}${rule}`)
      this.#work(unit)
    }
  }

  #pasted(unit: Unit): string {
    const word = this.#pick(NOUNS)
    const lines = Array.from({ length: 20 + this.#number(100) }, () => this.#logLine(word))
    return `\n\n${this.#fill(this.#pick(PASTES), unit)}\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n\n`
  }

  /** The agent tries an approach, finds that it does not work, and takes it back by itself. */
  #givenUp(unit: Unit): void {
    const helper = this.#functionName()
    const because = this.#pick(REASONS)
    this.#user(this.#fill(this.#pick(REQUESTS), unit))
    this.#read(unit)
    if (this.#dirty.has(unit.path)) this.#commit(unit)
    this.#edit(unit, helper)
    this.#check(unit, false)
    const words = this.#pick(GIVEN_UP).replace('HELPER', helper).replace('BECAUSE', because).replace('NAME', unit.name)
    this.#event({ kind: 'decision', gaveUp: helper, because }, this.messages.length)
    this.#revert(unit, words)
    const other = this.#pick(this.#units)
    this.#read(other)
    this.#edit(other)
    this.#check(other, true)
    if (this.#random() < 0.65) this.#commit(other)
    this.#says(this.#fill(this.#pick(CONCLUSIONS), other))
  }

  #revert(unit: Unit, words?: string): void {
    this.#shell(`git checkout -- ${unit.path}`, 'Updated 1 path from the index', false, words)
    this.#event({ kind: 'revert', path: unit.path })
    this.#dirty.delete(unit.path)
  }

  #work(unit: Unit): void {
    this.#writeTodos(unit)
    for (const other of [unit, this.#pick(this.#units)]) this.#read(other)
    this.#edit(unit)
    if (this.#random() < 0.4) this.#user(this.#fill(this.#pick(MEANWHILE), unit))
    const fails = this.#random() < 0.6
    this.#check(unit, !fails)
    if (fails) {
      this.#read(unit)
      this.#edit(unit)
      // Some work stays broken, and the session turns to something else.
      const stays = this.#random() < 0.2
      this.#check(unit, !stays)
      if (stays) return this.#says(`\`${unit.name}\` still fails in ${unit.test}; I leave that open for now.`)
    }
    if (this.#random() < 0.3) this.#checkAll(this.#random() < 0.8)
    if (this.#random() < 0.65) this.#commit(unit)
    this.#says(this.#fill(this.#pick(CONCLUSIONS), unit))
  }

  #detour(unit: Unit): void {
    this.#user(this.#fill(this.#pick(DETOURS), unit))
    const word = this.#pick(NOUNS)
    const lines = Array.from({ length: 150 + this.#number(750) }, () => this.#logLine(word))
    this.#shell(`tail -n 500 logs/${word}-${this.#number(90)}.log`, lines.join('\n'))
    this.#shell(
      `grep -rn "${unit.name}" . | head -50`,
      Array.from({ length: 30 }, () => this.#hit(unit.name)).join('\n'),
    )
    this.#says(
      `Nothing is wrong there: \`${unit.name}\` is called from ${this.#pick(this.#units).path} only. I changed nothing.`,
    )
  }

  /** An approach is tried, the user does not want it, and it is taken back. */
  #takenBack(unit: Unit): void {
    const helper = this.#functionName()
    const because = this.#pick(REASONS)
    this.#user(this.#fill(this.#pick(REQUESTS), unit))
    this.#read(unit)
    // Earlier changes are settled first, so that taking it back loses only this.
    if (this.#dirty.has(unit.path)) this.#commit(unit)
    this.#edit(unit, helper)
    this.#check(unit, false)
    this.#user(`No, take that back. \`${helper}\` gives us ${because}, ${this.#pick(PEOPLE)} tried it last year.`)
    this.#event({ kind: 'decision', gaveUp: helper, because })
    this.#revert(unit)
    this.#check(unit, true)
    this.#says(`I took \`${helper}\` back because of ${because}; ${unit.path} is as it was.`)
  }

  #renamed(unit: Unit): void {
    const to = unit.path.replace(/[^/]+(?=\.\w+$)/, () => this.#moduleName())
    this.#user(`Please rename ${unit.path} to ${to}; the old name confuses everybody.`)
    if (this.#dirty.has(unit.path)) this.#commit(unit)
    this.#shell(`git mv ${unit.path} ${to}`, '')
    this.#event({ kind: 'rename', path: unit.path, to })
    unit.path = to
    this.#dirty.add(to)
    this.#edit(this.#pick(this.#units))
    this.#checkAll(true)
    if (this.#random() < 0.6) this.#commit()
    this.#says(`The file is now ${to}, and its importers follow.`)
  }

  #changedRule(unit: Unit): void {
    const rule = this.#pick(this.#rules)
    const replaces = rule.text
    rule.text = this.#ruleText(rule.at, rule.subject)
    this.#event({ kind: 'rule', text: rule.text, replaces }, this.messages.length)
    this.#user(
      `I have changed my mind about one thing. ${rule.text} That replaces what I said before. Now: ${this.#fill(this.#pick(REQUESTS), unit)}`,
    )
    this.#work(unit)
  }

  #newRule(): string {
    const at = this.#rules.length
    const subject = this.#pick(this.#units).name
    const text = this.#ruleText(at, subject)
    this.#rules.push({ at, subject, text })
    this.#event({ kind: 'rule', text }, this.messages.length)
    return text
  }

  #ruleText(at: number, subject: string): string {
    const detail = at === 0 || at === 3 ? this.#pick(PEOPLE) : String(1_000 + this.#number(8_000))
    return (RULES[at] ?? RULES[0]).replace(/\bA\b/, subject).replace(/\bB\b/, detail)
  }

  #writeTodos(unit: Unit): void {
    if (this.#tools.shell !== 'Bash') return
    const done = this.#todos.map((todo) => ({ ...todo, status: 'completed' })).slice(-2)
    this.#todos = [...done, ...this.#todoTexts(unit)]
    this.#call('TodoWrite', { todos: this.#todos }, 'Todos have been modified.')
  }

  #todoTexts(unit: Unit) {
    const number = this.#number(900)
    return [
      { content: `Change ${unit.name} for case ${number}`, status: 'in_progress' },
      { content: `Cover case ${number} in ${unit.test}`, status: 'pending' },
    ]
  }

  #read(unit: Unit): void {
    this.#call(this.#tools.read, { [this.#tools.path]: unit.path }, this.#source(unit, 4 + this.#number(5)))
  }

  #edit(unit: Unit, helper = this.#functionName()): void {
    const before = this.#function(unit.name, 2)
    const after = `${this.#function(helper, 3)}\n${before.replace(/NUMBER|\d+/, String(this.#number(900)))}`
    const names = {
      old: this.#tools.edit === 'edit' ? 'oldText' : 'old_string',
      new: this.#tools.edit === 'edit' ? 'newText' : 'new_string',
    }
    this.#call(
      this.#tools.edit,
      { [this.#tools.path]: unit.path, [names.old]: before, [names.new]: after },
      'The file was updated.',
    )
    this.#event({ kind: 'edit', path: unit.path })
    this.#dirty.add(unit.path)
  }

  #check(unit: Unit, ok: boolean): void {
    const { test } = this.#language
    this.#checked(
      test.replace('TEST', unit.test).replace('AREA', unit.area).replace('MODULE', unit.module),
      unit,
      ok,
      14,
    )
  }

  #checkAll(ok: boolean): void {
    const command = this.#random() < 0.7 ? this.#language.testAll : this.#language.lint
    this.#checked(command, this.#pick(this.#units), ok, 60)
  }

  #checked(command: string, unit: Unit, ok: boolean, count: number): void {
    const { passed, failed, error } = this.#language
    const lines = Array.from({ length: count }, () => this.#fill(passed, this.#pick(this.#units)))
    const end = ok
      ? `${count} passed`
      : `${this.#fill(failed, unit)}\n${this.#fill(error, unit)}\n1 failed, ${count} passed`
    this.#shell(command, `${ok ? '' : 'Exit code 1\n'}${lines.join('\n')}\n${end}`, !ok)
    this.#event({ kind: 'check', command, ok })
  }

  /** Commits one file, or everything. */
  #commit(unit?: Unit): void {
    const hash = Array.from({ length: 7 }, (_, i) =>
      i === 3 ? 'a' : i === 5 ? '7' : this.#number(16).toString(16),
    ).join('')
    const subject = `${unit === undefined ? 'Rename a module' : `Let ${unit.name} handle case ${this.#number(900)}`}`
    const only = unit !== undefined && this.#random() < 0.6 ? [unit.path] : undefined
    const command =
      only === undefined ? `git commit -am "${subject}"` : `git add ${only.join(' ')} && git commit -m "${subject}"`
    this.#shell(
      command,
      `[main ${hash}] ${subject}\n ${(only ?? [...this.#dirty]).length} files changed, ${this.#number(90)} insertions(+)`,
    )
    this.#event({ kind: 'commit', hash, paths: only ?? 'all' })
    if (only === undefined) this.#dirty = new Set()
    else for (const path of only) this.#dirty.delete(path)
  }

  #shell(command: string, output: string, failed = false, words?: string): void {
    this.#call(this.#tools.shell, { command }, output, failed, words)
  }

  #call(toolName: string, input: Record<string, unknown>, value: string, failed = false, words?: string): void {
    const toolCallId = `call_${++this.#calls}`
    const output = { type: failed ? ('error-text' as const) : ('text' as const), value }
    const said = words === undefined ? [] : [{ type: 'text' as const, text: words }]
    this.#add({ role: 'assistant', content: [...said, { type: 'tool-call', toolCallId, toolName, input }] })
    this.#add({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] })
  }

  #user(content: string): void {
    this.#add({ role: 'user', content })
  }

  #says(content: string): void {
    this.#add({ role: 'assistant', content })
  }

  #add(message: Message): void {
    this.messages.push(message)
    this.characters += JSON.stringify(message.content).length
  }

  /** Notes what a message makes true: the last one, or one that is about to be added. */
  #event(event: UnplacedEvent, at = this.messages.length - 1): void {
    this.events.push({ at, call: `call_${this.#calls}`, ...event } as TruthEvent)
  }

  #newUnit(): void {
    const [area, module] = [this.#pick(AREAS), this.#moduleName()]
    const { path, testPath } = this.#language
    const at = (place: string) => place.replace('AREA', area).replace('MODULE', module)
    this.#units.push({ path: at(path), test: at(testPath), area, module, name: this.#functionName() })
  }

  #moduleName(): string {
    const [verb, noun] = [this.#pick(VERBS), this.#pick(NOUNS)]
    const number = this.#number(99)
    return this.#language.name === 'java' ? `${upper(verb)}${upper(noun)}${number}` : `${verb}_${noun}${number}`
  }

  #functionName(): string {
    const [verb, noun, other] = [this.#pick(VERBS), this.#pick(NOUNS), this.#pick(NOUNS)]
    return this.#language.names === 'snake' ? `${verb}_${noun}_${other}` : `${verb}${upper(noun)}${upper(other)}`
  }

  #source(unit: Unit, count: number): string {
    return [unit.name, ...Array.from({ length: count }, () => this.#functionName())]
      .map((name) => this.#function(name, 8))
      .join('\n')
  }

  #function(name: string, lines: number): string {
    const { head, body, end } = this.#language
    const unit = { ...this.#pick(this.#units), name }
    return [head, ...Array.from({ length: lines }, () => this.#pick(body)), end]
      .map((line) => this.#fill(line, unit))
      .join('\n')
  }

  #fill(text: string, { name, path, test, module }: Unit): string {
    const word = this.#pick(NOUNS)
    return text.replace(/NAME|OTHER|NUMBER|WORD|WHO|PATH|TEST|MODULE/g, (slot) => {
      if (slot === 'NAME') return name
      if (slot === 'OTHER') return this.#functionName()
      if (slot === 'NUMBER') return String(this.#number(900) + 100)
      if (slot === 'WHO') return this.#pick(PEOPLE)
      if (slot === 'PATH') return path
      if (slot === 'TEST') return test
      return slot === 'MODULE' ? module : word
    })
  }

  #logLine(word: string): string {
    const time = `2026-03-0${1 + this.#number(8)}T0${this.#number(9)}:${10 + this.#number(49)}:${10 + this.#number(49)}Z`
    return `${time} ${this.#pick(['INFO', 'WARN', 'DEBUG'])} ${this.#pick(AREAS)} ${word} ${this.#number(99_999)} ${this.#pick(VERBS)}ed in ${this.#number(900)} ms`
  }

  #hit(name: string): string {
    const { path } = this.#pick(this.#units)
    return `${path}:${this.#number(400)}:  ${name}(${this.#pick(NOUNS)}, ${this.#number(900)})`
  }

  #number(below: number): number {
    return Math.floor(this.#random() * below)
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#number(all.length)] as T
  }
}

function upper(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`
}
