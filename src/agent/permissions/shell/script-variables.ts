import { type Command, type CommandArgument, forEachChild, type SyntaxNode, type Word } from 'unbash'
import { type ExpansionContext, shapesOf } from './shell-word.ts'
import { ANYTHING, literal, type TextShape } from './text-shape.ts'

/**
 * The variables and aliases that a script sets anywhere. We do not track which of several values a variable has at a time. We
 * do track whether the reader has certainly passed one of the assignments: before that, the variable has none of the values.
 */
export class ScriptVariables {
  readonly #values = new Map<string, (Word | undefined)[]>()
  readonly #aliases = new Map<string, string>()
  readonly #open = new Set<string>()
  /** The variables whose `unset` the reader has passed. */
  readonly #unset = new Set<string>()
  #passed: ReadonlySet<string> = new Set()
  #isDoubtful = false
  #isEmpty = false

  /** Collects the variables and aliases that a script sets. */
  collect(node: SyntaxNode): void {
    if (node.type === 'Assignment') {
      const isPlain = node.value.type === 'Word' && node.append !== true && node.index === undefined
      this.#set(node.name, isPlain && node.value.type === 'Word' ? node.value : undefined)
    } else if (node.type === 'For') {
      for (const word of node.wordlist ?? [undefined]) this.#set(node.name.value, word)
    } else if (node.type === 'Select') this.#set(node.name.value, undefined)
    else if (node.type === 'ParameterExpansion' && node.operation?.type === 'Default') {
      if (node.operation.operator.endsWith('=')) this.#set(node.parameter, undefined)
    } else if (node.type === 'Command') this.#collectCommand(node.name?.value, node.args)
    forEachChild(node, (child) => this.collect(child))
  }

  /** The shapes that a variable may have; anything if the script does not set it. */
  shapes(name: string, context: ExpansionContext): readonly TextShape[] {
    if (/^[?$!#]$/.test(name)) return [[{ hole: 'digits' }]]
    const values = this.#values.get(name)
    const known = name === 'HOME' ? literal(context.home) : name === 'PWD' ? context.folder : undefined
    if (values === undefined) return [known ?? ANYTHING]
    // A value that refers to itself may become anything.
    if (this.#open.has(name)) return [ANYTHING]
    this.#open.add(name)
    try {
      const set = values.flatMap((value) => (value === undefined ? [ANYTHING] : shapesOf(value, context)))
      if (values.includes(undefined) || (this.#passed.has(name) && !this.#unset.has(name))) return set
      this.#isDoubtful = true
      // A variable that the script sets hardly comes from the environment, so before that it is empty.
      return this.#isEmpty ? [known ?? []] : set
    } finally {
      this.#open.delete(name)
    }
  }

  /** The result with the values of the script. If one of them may not be set at this point, also the result without them. */
  readings<T>(read: () => T): [T, ...T[]] {
    this.#isDoubtful = false
    const set = read()
    if (!this.#isDoubtful) return [set]
    this.#isEmpty = true
    const empty = read()
    this.#isEmpty = false
    return [set, empty]
  }

  /** The reader has passed a command, so its variables are set from now on. An assignment before a command's name applies only to that command. */
  pass({ name, prefix, args }: Command): void {
    const set = name === undefined ? prefix : DECLARERS.has(name.value) ? args : []
    for (const node of set) if (node.type === 'Assignment') this.#add(node.name)
    if (name?.value === 'unset') for (const arg of args) if (arg.type === 'Word') this.#unset.add(arg.value)
  }

  /** Restores the set variables after `work`, which may never be reached, or may run in another process. `name` is set in it. */
  isolated(work: () => void, name?: string): void {
    const passed = this.#passed
    if (name !== undefined) this.#add(name)
    work()
    this.#passed = passed
  }

  /** Starts without set variables, for a script in its own process. It would have the exported ones, but we do not track exports. */
  fresh(work: () => void): void {
    this.isolated(() => {
      this.#passed = new Set()
      work()
    })
  }

  alias(name: string): string | undefined {
    return this.#aliases.get(name)
  }

  #add(name: string): void {
    this.#unset.delete(name)
    this.#passed = new Set([...this.#passed, name])
  }

  #set(name: string, value: Word | undefined): void {
    const values = this.#values.get(name) ?? []
    this.#values.set(name, values)
    if (value !== undefined || !values.includes(undefined)) values.push(value)
  }

  #collectCommand(name: string | undefined, args: readonly CommandArgument[]): void {
    if (name === 'alias') {
      for (const arg of args) {
        const [, alias, text] = /^([^=]+)=(.*)$/s.exec(arg.type === 'Word' ? arg.value : '') ?? []
        if (arg.type === 'Assignment' && arg.value.type === 'Word') this.#aliases.set(arg.name, arg.value.value)
        else if (alias !== undefined && text !== undefined) this.#aliases.set(alias, text)
      }
    }
    if (name === undefined) return
    for (const arg of args) {
      if (arg.type === 'Word' && SETTERS.has(name)) this.#set(arg.value, undefined)
      if (arg.type === 'Assignment' && DECLARERS.has(name) && args.some(isOtherKind)) this.#set(arg.name, undefined)
    }
  }
}

/** Commands that set the variables they name to the values after `=`. */
const DECLARERS: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly'])

/** True for an option that changes the value: a reference to another variable, a number, or a change of case. */
function isOtherKind(arg: CommandArgument): boolean {
  return arg.type === 'Word' && /^-\w*[nilu]/.test(arg.value)
}

/** Commands that set the variables they name to values that the text does not show. */
const SETTERS: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf', 'let'])
