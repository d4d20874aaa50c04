import { type CommandArgument, forEachChild, type SyntaxNode, type Word } from 'unbash'
import { type ExpansionContext, shapesOf } from './shell-word.ts'
import { ANYTHING, literal, type TextShape } from './text-shape.ts'

/** The variables and aliases that a script sets anywhere. Which of several values is there at a time is not followed. */
export class ScriptVariables {
  readonly #values = new Map<string, (Word | undefined)[]>()
  readonly #aliases = new Map<string, string>()
  readonly #open = new Set<string>()

  /** Takes up what a script sets. */
  collect(node: SyntaxNode): void {
    if (node.type === 'Assignment') {
      const isPlain = node.value.type === 'Word' && node.append !== true && node.index === undefined
      this.#set(node.name, isPlain && node.value.type === 'Word' ? node.value : undefined)
    } else if (node.type === 'For') {
      for (const word of node.wordlist ?? [undefined]) this.#set(node.name.value, word)
    } else if (node.type === 'Select') this.#set(node.name.value, undefined)
    else if (node.type === 'Command') this.#collectCommand(node.name?.value, node.args)
    forEachChild(node, (child) => this.collect(child))
  }

  /** The shapes that a variable may have; anything where the script does not set it. */
  shapes(name: string, context: ExpansionContext): readonly TextShape[] {
    if (/^[?$!#]$/.test(name)) return [[{ hole: 'digits' }]]
    const values = this.#values.get(name)
    if (values === undefined) {
      if (name === 'HOME') return [literal(context.home)]
      return [name === 'PWD' ? context.folder : ANYTHING]
    }
    // A value that names itself may grow to anything.
    if (this.#open.has(name)) return [ANYTHING]
    this.#open.add(name)
    try {
      return values.flatMap((value) => (value === undefined ? [ANYTHING] : shapesOf(value, context)))
    } finally {
      this.#open.delete(name)
    }
  }

  alias(name: string): string | undefined {
    return this.#aliases.get(name)
  }

  #set(name: string, value: Word | undefined): void {
    const values = this.#values.get(name) ?? []
    this.#values.set(name, values)
    values.push(value)
  }

  #collectCommand(name: string | undefined, args: readonly CommandArgument[]): void {
    if (name === 'alias') {
      for (const arg of args) {
        const [, alias, text] = /^([^=]+)=(.*)$/s.exec(arg.type === 'Word' ? arg.value : '') ?? []
        if (arg.type === 'Assignment' && arg.value.type === 'Word') this.#aliases.set(arg.name, arg.value.value)
        else if (alias !== undefined && text !== undefined) this.#aliases.set(alias, text)
      }
    }
    if (name === undefined || !SETTERS.has(name)) return
    for (const arg of args) if (arg.type === 'Word') this.#set(arg.value, undefined)
  }
}

/** Commands that put into the variables they name what the text does not say. */
const SETTERS: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf', 'let'])
