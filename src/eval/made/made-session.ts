import type { Message } from '../../model/types.ts'
import { randomOf } from '../random.ts'
import { happened, noWork, type TruthEvent, type UnplacedEvent } from '../truth/events.ts'
import { type Forms, readForms, SLOT, type WorkStep } from './forms.ts'

/**
 * A session about a made-up project, of about this many characters, and what is true in it, written down while it was made. The same seed, size and
 * forms make the same session.
 */
export function madeSession(seed: number, characters: number, forms = readForms().forms) {
  const maker = new Maker(seed, forms)
  const scenes = forms.scenes.flatMap(([weight, steps]) => Array.from({ length: weight }, () => steps))
  for (let scene = forms.first; maker.characters < characters; scene = maker.pick(scenes)) maker.play(scene)
  return { name: `${maker.project.name}-${seed}`, messages: maker.messages, events: maker.events }
}

type Unit = Record<'path' | 'test' | 'area' | 'module' | 'name', string>
type Given = Readonly<Record<string, unknown>>
type Agent = Forms['agents'][number]
type Check = Forms['projects'][number]['one']
type GitStep = keyof Forms['git']
type Speech = Readonly<Record<string, readonly string[]>>

/** Plays scenes. Each step adds messages, and the events that they make true. */
class Maker {
  readonly messages: Message[] = []
  readonly events: TruthEvent[] = []
  characters = 0
  readonly project: Forms['projects'][number]
  readonly #random: () => number
  readonly #forms: Forms
  readonly #agent: Agent
  readonly #user: Forms['users'][number]
  readonly #says: Speech
  readonly #rules: { readonly at: number; readonly name: string; readonly text: string }[] = []
  readonly #calledAs = new Map<string, Forms['checks'][number]>()
  readonly #history: string[] = []
  #committed: readonly string[] = []
  readonly #done = noWork()
  readonly #units: readonly Unit[]
  #unit: Unit
  #made = 0
  #to = ''
  /** The function that the last edit has added. */
  #helper = ''
  #todos: string[] = []

  constructor(seed: number, forms: Forms) {
    const own = <T>(all: readonly T[]) => all[seed % all.length] as T
    this.#random = randomOf(seed * 7919 + 17)
    this.#forms = forms
    this.project = own(forms.projects)
    this.#agent = own(forms.agents)
    this.#user = own(forms.users)
    this.#says = { ...forms.says, ...this.#user.says }
    this.#units = this.#times(24, () => this.#newUnit())
    this.#unit = this.pick(this.#units)
  }

  play(scene: string): void {
    this.#unit = this.pick(this.#units)
    const answers: Speech = this.#user.answers
    for (const [, step = '', least = '1', most = least] of scene.matchAll(/([a-z]+)(?::(\d)-(\d))?/g))
      for (let left = this.#between(Number(least), Number(most)); left > 0; left--)
        if (step in this.#says) this.#add({ role: 'user', content: this.#said(this.#says[step]) })
        else if (step in answers) this.#add({ role: 'assistant', content: this.#said(answers[step]) })
        else if (step in this.#forms.git) this.#git(step as GitStep)
        else this.#work[step as WorkStep]()
  }

  readonly #work: Readonly<Record<WorkStep, () => void>> = {
    todos: () => this.#writeTodos(),
    look: () => {
      const [command, output] = this.pick(this.#forms.looks)
      this.#shell(this.#fill(command), this.#fill(output))
    },
    read: () => this.#call(this.#agent.read),
    edit: () => this.#edit(),
    miss: () => this.#edit(true),
    other: () => {
      this.#unit = this.pick(this.#units)
    },
    check: () => this.#check(this.project.one, true),
    fail: () => this.#check(this.project.one, false),
    all: () => this.#check(this.pick(this.project.all), this.#random() < 0.7),
    settle: () => this.#dirty().includes(this.#unit.path) && this.#git('commit'),
  }

  #writeTodos(): void {
    const { todos: tool, todo } = this.#agent
    if (tool === undefined || todo === undefined) return
    const done = this.#todos.map((text) => this.#filled(todo, { text, state: 'completed' }))
    this.#todos = this.#forms.todos.map((text) => this.#fill(text))
    const open = this.#todos.map((text, i) => this.#filled(todo, { text, state: i === 0 ? 'in_progress' : 'pending' }))
    this.#call(tool, { todos: [...done, ...open] })
  }

  #edit(isMissed = false): void {
    const { name, path } = this.#unit
    this.#helper = this.#functionName()
    const old = this.#function(name, 1)
    const changed = `${this.#function(this.#helper, 3)}\n${old.replace(/\d+/, String(this.#between(1, 900)))}`
    const lines = `${old.replace(/^/gm, '-')}\n${changed.replace(/^/gm, '+')}`
    const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n${lines}\n*** End Patch`
    const tools = this.#agent.edits.filter(([, , , missed]) => !isMissed || missed !== undefined)
    if (tools.length > 0) this.#call(this.pick(tools), { old, new: changed, patch }, isMissed)
    if (isMissed) return
    this.#did({ kind: 'edit', path: this.#file(path) })
  }

  /** Runs a check. An agent calls one check the same way each time. */
  #check(check: Check, ok: boolean): void {
    const bare = this.#fill(check[0])
    const form = this.#calledAs.get(bare) ?? this.pick(this.#forms.checks)
    this.#calledAs.set(bare, form)
    const command = this.#fill(form[0], { check: bare })
    const shown = Number(/\| tail -(\d+)/.exec(command)?.[1] ?? 1_000)
    const isHidden = form[1] === 'hidden'
    this.#shell(command, this.#outputOf(check, ok).split('\n').slice(-shown).join('\n'), ok || isHidden)
    if (!isHidden) this.#did({ kind: 'check', command, ok })
  }

  #outputOf([, line, passed, failed]: Check, ok: boolean): string {
    const count = line === '' ? 0 : this.#between(2, 24)
    const lines = this.#times(count, () => this.#fill(line, this.pick(this.#units)))
    return [...lines, this.#fill(ok ? passed : failed, { count })].join('\n')
  }

  /** Runs a git command, if there is something to do it to. */
  #git(step: GitStep): void {
    const undone = step === 'uncommit' ? this.#committed : []
    const dirty = [...undone, ...this.#dirty()]
    const changed = [...new Set(dirty.includes(this.#unit.path) ? [this.#unit.path, ...dirty] : dirty)]
    const path = step === 'move' ? this.#unit.path : changed[0]
    if (path === undefined) return
    const [command, output, hidden] = this.pick(this.#forms.git[step])
    const isAll = step === 'commitall' || step === 'reset'
    const paths = isAll ? changed : command.includes('{paths}') ? changed.slice(0, 3) : [path]
    const [hash, to] = [this.#hash(), step === 'move' ? this.#newPath() : '']
    const subject = `Let ${this.#unit.name} handle case ${this.#between(100, 999)}`
    const known = { path, paths: paths.join(' '), to, hash, subject, count: paths.length }
    const given = { ...known, check: this.#fill(this.project.one[0]), commit: this.#said(this.#forms.commits, known) }
    const [run, ok] = [this.#fill(command, given), step !== 'refused']
    this.#shell(run, this.#fill(output, given), ok)
    const isChecked = command.includes('{check}') && hidden === undefined
    if (isChecked) this.#did({ kind: 'check', command: run.split('\n')[0] ?? '', ok })
    const files = paths.map((one) => this.#file(one))
    const isCommit = step === 'commit' || step === 'commitall'
    if (isCommit) this.#did({ kind: 'commit', hash, paths: isAll ? 'all' : files })
    if (step === 'revert' || step === 'reset') for (const one of files) this.#did({ kind: 'revert', path: one })
    if (step === 'uncommit') for (const one of undone) this.#did({ kind: 'edit', path: this.#file(one) })
    if (step === 'move') {
      this.#did({ kind: 'rename', path: this.#file(path), to: this.#file(to) })
      this.#unit.path = to
      this.#to = ''
    }
    if (isCommit || undone.length > 0)
      this.#committed = command.includes('--amend')
        ? [...new Set([...paths, ...this.#committed])]
        : isCommit
          ? paths
          : []
    if (!isCommit) return
    this.#history.push(`${hash} ${subject}`)
    // An agent looks if its tool has cut the commit off. Then the session shows it.
    if (!JSON.stringify(this.messages.at(-1)).includes(hash)) this.#shell('git log --oneline -1', `${hash} ${subject}`)
  }

  #shell(command: string, output: string, ok = true): void {
    const [most, form] = this.#agent.cut
    const [head, tail] = [output.slice(0, most / 2), output.slice(-most / 2)]
    const [count, lines] = [output.length - most, output.slice(most / 2, -most / 2).split('\n').length]
    const shown = output.length > most ? this.#fill(form, { head, tail, count, lines }) : output
    this.#call(this.#agent.shell, { command, output: shown, code: 1 }, !ok)
  }

  #call([toolName, input, output, missed = output]: Agent['read'], given: Given = {}, isFailed = false): void {
    const toolCallId = `call_${this.messages.length}`
    const said = this.#random() < 0.2 ? [{ type: 'text' as const, text: this.#said(this.#user.notes) }] : []
    const call = { type: 'tool-call' as const, toolCallId, toolName, input: this.#filled(input, given) }
    this.#add({ role: 'assistant', content: [...said, call] })
    const type = isFailed && this.#agent.marksErrors === true ? 'error-text' : 'text'
    const value = this.#fill(isFailed ? missed : output, given)
    this.#add({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type, value } }] })
  }

  #add(message: Message): void {
    this.messages.push(message)
    this.characters += JSON.stringify(message.content).length
  }

  /** Notes what the last call has done. */
  #did(event: UnplacedEvent): void {
    const at = this.messages.length - 2
    this.events.push({ at, call: `call_${at}`, ...event } as TruthEvent)
    happened(this.#done, this.events.at(-1) as TruthEvent)
  }

  /** A rule for the next message: a new one, or a changed one if there is one. */
  #rule(known?: { readonly at: number; readonly name: string; readonly text: string }): string {
    const { at, name } = known ?? { at: this.#rules.length, name: this.pick(this.#units).name }
    const [first = '', changed = ''] = this.#user.rules[at % this.#user.rules.length] ?? []
    const text = this.#fill(known === undefined ? first : changed, { name })
    this.#rules[at] = { at, name, text }
    const replaces = known === undefined ? {} : { replaces: known.text }
    this.events.push({ at: this.messages.length, kind: 'rule', text, ...replaces })
    return text
  }

  /** The reason for which the next message gives an approach up. */
  #reason(): string {
    const because = this.pick(this.#user.reasons)
    this.events.push({ at: this.messages.length, kind: 'decision', gaveUp: this.#helper, because })
    return because
  }

  #newUnit(): Unit {
    const given = { area: this.pick(this.#forms.words.areas), module: this.#moduleName() }
    const { path, test } = this.project
    return { path: this.#fill(path, given), test: this.#fill(test, given), ...given, name: this.#functionName() }
  }

  /** The path that a user asks for, until the file is there. */
  #newPath(): string {
    this.#to ||= this.#unit.path.replace(/[^/]+(?=\.\w+$)/, () => this.#moduleName())
    return this.#to
  }

  #functionName(): string {
    const { verbs, nouns } = this.#forms.words
    const [verb, ...others] = [this.pick(verbs), this.pick(nouns), this.pick(nouns)] as const
    return this.project.names === 'snake' ? [verb, ...others].join('_') : [verb, ...others.map(upper)].join('')
  }

  #function(name: string, lines: number): string {
    const { code, body } = this.project
    const all = [code[0], ...this.#times(lines, () => this.pick(body)), code[1]]
    return all.map((line) => this.#fill(line, { name })).join('\n')
  }

  #filled(value: unknown, given: Given): unknown {
    if (value === '{todos}') return given.todos
    if (typeof value === 'string') return this.#fill(value, given)
    if (Array.isArray(value)) return value.map((one) => this.#filled(one, given))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#filled(one, given)]))
  }

  /** A text with its slots filled: with what is given, or else from the work as it is now. */
  #fill(text: string, given: Given = {}): string {
    const known: Given = { ...this.#unit, ...given }
    return text.replace(SLOT, (_, slot: string) => String(known[slot] ?? this.#slots[slot]?.(String(known.path)) ?? ''))
  }

  readonly #slots: Readonly<Record<string, (path: string) => string | number>> = {
    file: (path) => this.#file(path),
    dir: (path) => path.replace(/\/[^/]*$/, ''),
    base: (path) => path.replace(/^.*\//, ''),
    root: () => this.#agent.root.replace(/\/$/, '') || '.',
    to: () => this.#newPath(),
    helper: () => this.#helper,
    because: () => this.#reason(),
    rule: () => this.#rule(),
    change: () => this.#rule(this.pick(this.#rules)),
    ask: () => this.#said(this.#says.ask),
    other: () => this.#functionName(),
    word: () => this.pick(this.#forms.words.nouns),
    who: () => this.pick(this.#forms.words.people),
    n: () => this.#between(100, 999),
    number: () => this.#between(1_000, 8_999),
    hash: () => this.#hash(),
    source: () => this.#lines(8, () => this.#function(this.#functionName(), 6)),
    hits: () => this.#lines(30, () => this.#fill('{path}:{n}:  {other}({n})', this.pick(this.#units))),
    log: () => this.#lines(this.#between(10, 300), () => this.#said(this.#forms.logs)),
    status: () =>
      this.#dirty()
        .join('\n')
        .replace(/^(?=.)/gm, ' M '),
    recent: () => this.#history.slice(-8).join('\n'),
    passed: () => this.#outputOf(this.project.one, true),
    failed: () => this.#outputOf(this.project.one, false),
  }

  pick = <T>(all: readonly T[]): T => all[Math.floor(this.#random() * all.length)] as T
  #between = (least: number, most: number) => least + Math.floor(this.#random() * (most - least + 1))
  #times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)
  #lines = (most: number, line: () => string) => this.#times(this.#between(1, most), line).join('\n')
  /** Each name once, so that the end of a path is enough to know it. */
  #moduleName = () => `${this.pick(this.#forms.words.verbs)}_${this.pick(this.#forms.words.nouns)}${++this.#made}`
  #said = (texts: readonly string[] = [''], given?: Given) => this.#fill(this.pick(texts), given)
  /** The changed files. */
  #dirty(): string[] {
    const changed = [...this.#done.files].filter(([, { state }]) => state === 'uncommitted')
    return changed.map(([path]) => path.slice(this.#agent.root.length))
  }
  #file = (path: string) => `${this.#agent.root}${path}`
  #hash = () => `${this.#times(5, () => this.#between(0, 15).toString(16)).join('')}a7`
}

const upper = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`
