import type { Entry, Message } from '../../src/engine.ts'
import { randomOf } from '../../src/eval/random.ts'

const FOLDERS = ['src/engine', 'src/store', 'src/server', 'test/engine', 'web/parts', 'docs']
const WORDS =
  'view log entry cut span tail index budget plan mask token cache request answer value error result return const function import export type string number when where after before while'.split(
    ' ',
  )

/**
 * A session of about this many tokens in the shape of the recorded ones: a prompt, then a dozen steps that read, search,
 * run and edit; results of a few hundred to a few thousand tokens, some ten times that; files that are used again later;
 * seconds between the steps of a turn and minutes between turns.
 */
export function madeUpSession(seed: number, tokens: number): Entry[] {
  const random = randomOf(seed)
  const maker = new Maker(random)
  while (maker.tokens < tokens) maker.turn()
  return maker.log
}

class Maker {
  readonly log: Entry[] = []
  readonly #random: () => number
  readonly #files: string[] = []
  tokens = 0
  #at = 0
  #calls = 0

  constructor(random: () => number) {
    this.#random = random
  }

  turn(): void {
    this.#at += 60_000 + this.#random() * this.#random() * 900_000
    this.#say({ role: 'user', content: `Please ${this.#text(30 + this.#random() * 120)}` })
    const steps = 3 + Math.floor(this.#random() * 20)
    for (let step = 0; step < steps; step++) this.#step()
    this.#say({ role: 'assistant', content: this.#text(60 + this.#random() * 200) })
  }

  #step(): void {
    const toolCallId = `call-${++this.#calls}`
    const { toolName, input, words } = this.#call()
    const text = { type: 'text' as const, text: this.#text(10 + this.#random() * 40) }
    this.#say({ role: 'assistant', content: [text, { type: 'tool-call', toolCallId, toolName, input }] })
    const output = { type: 'text' as const, value: this.#text(words) }
    this.#say({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] })
  }

  #call(): { toolName: string; input: Record<string, string>; words: number } {
    const path = this.#file()
    const large = this.#random() < 0.06 ? 10 : 1
    const size = (150 + this.#random() * 1_500) * large
    const kind = this.#random()
    if (kind < 0.4) return { toolName: 'Read', input: { file_path: path }, words: size }
    if (kind < 0.65) return { toolName: 'Bash', input: { command: `npx vitest run ${path}` }, words: size * 0.7 }
    if (kind < 0.75) return { toolName: 'Grep', input: { pattern: this.#name() }, words: size * 0.4 }
    const edit = { old_string: this.#text(30), new_string: this.#text(60) }
    return { toolName: 'Edit', input: { file_path: path, ...edit }, words: 40 }
  }

  /** Most steps are about files that were used lately, some about old ones, some about new ones. */
  #file(): string {
    const known = this.#files.length
    if (known > 0 && this.#random() < 0.75) {
      const back = Math.floor(this.#random() ** 3 * known)
      return this.#files[known - 1 - back] ?? ''
    }
    const folder = FOLDERS[Math.floor(this.#random() * FOLDERS.length)]
    const path = `/home/made-up/${folder}/${this.#name()}.ts`
    this.#files.push(path)
    return path
  }

  #name(): string {
    return `${this.#word()}_${this.#word()}${Math.floor(this.#random() * 900)}`
  }

  #text(words: number): string {
    const made: string[] = []
    for (let i = 0; i < words; i++) made.push(this.#random() < 0.04 ? this.#name() : this.#word())
    return made.join(' ')
  }

  #word(): string {
    return WORDS[Math.floor(this.#random() * WORDS.length)] ?? ''
  }

  #say(message: Message): void {
    const seq = this.log.length + 1
    this.#at += 2_000 + this.#random() * 20_000
    this.tokens += JSON.stringify(message.content).length / 4.5
    this.log.push({ type: 'message', message, id: `e${seq}`, seq, at: Math.floor(this.#at) })
  }
}
