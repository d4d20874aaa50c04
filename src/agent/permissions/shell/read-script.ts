import {
  type AndOr,
  type Assignment,
  type Command,
  type CommandArgument,
  forEachChild,
  type Pipeline,
  parse,
  type Redirected,
  type Script,
  type SyntaxNode,
} from 'unbash'
import { setsCommand } from './git-runs.ts'
import { knownOutput, redirectsOf, WrittenFiles } from './known-output.ts'
import { launched } from './launched.ts'
import {
  effortOf,
  effortOfShapes,
  hasManyBraces,
  isTooDeep,
  maybeEntered,
  ReadingEffort,
  TOO_TANGLED,
} from './reading-limits.ts'
import { ScriptVariables } from './script-variables.ts'
import {
  byName,
  type ExpansionContext,
  expandedWords,
  NO_INPUT,
  nameOf,
  type ScriptReading,
  type ShellInput,
  type ShellRun,
  type ShellWord,
  shapesOf,
  wordOf,
} from './shell-word.ts'
import { ANYTHING, exactText, type FileProbe, literal, type TextShape } from './text-shape.ts'

/** The place where a command line runs. */
export type ScriptPlace = { readonly workspace: string; readonly home: string; readonly probe?: FileProbe }

/**
 * All commands that a command line may run: in every branch, substitution, function and here-document, and the commands that
 * those run themselves. Nothing is run and no file is read, so the content of scripts and programs is not seen.
 */
export function readScript(text: string, { workspace, home }: ScriptPlace): ScriptReading {
  const reader = new ScriptReader(home, literal(workspace))
  try {
    reader.read(text, NO_INPUT)
  } catch (error) {
    // Too much work, or a full stack: judge the commands up to here, and treat the rest as a doubt.
    if (error instanceof RangeError) return { runs: reader.reading.runs, doubts: [TOO_TANGLED] }
    throw error
  }
  return reader.reading
}

const DEEPEST = 6
const MOST_RUNS = 2_000
const LONGEST = 130_000

class ScriptReader {
  readonly #home: string
  readonly #variables = new ScriptVariables()
  readonly #runs: ShellRun[] = []
  readonly #doubts: string[] = []
  readonly #written = new WrittenFiles()
  readonly #effort = new ReadingEffort()
  #folders: readonly TextShape[]
  #depth = 0
  #dotGlob = false

  constructor(home: string, folder: TextShape) {
    this.#home = home
    this.#folders = [folder]
  }

  get reading(): ScriptReading {
    return { runs: this.#runs, doubts: this.#doubts }
  }

  read(text: string, input: ShellInput): void {
    if (this.#depth >= DEEPEST || text.length > LONGEST) return this.#doubt(text)
    if (hasManyBraces(text)) throw new RangeError(TOO_TANGLED)
    this.#depth++
    const script = parse(text)
    if (isTooDeep(script)) throw new RangeError(TOO_TANGLED)
    this.#dotGlob ||= /dotglob|GLOBIGNORE/.test(text)
    this.#variables.collect(script)
    this.#variables.fresh(() => this.#isolated(() => this.#visit(script, input)))
    this.#depth--
  }

  #doubt(text: string): void {
    this.#doubts.push(text)
  }

  /** Restores folders and variables after `work`. */
  #isolated(work: () => void): void {
    const folders = this.#folders
    this.#variables.isolated(work)
    this.#folders = folders
  }

  #visit(node: SyntaxNode, input: ShellInput = NO_INPUT): void {
    switch (node.type) {
      case 'Command':
        return this.#command(node, input)
      case 'Pipeline':
        return this.#pipeline(node, input)
      case 'AndOr':
        return this.#list(node, input)
      case 'Redirected':
        return this.#redirectedNode(node, input)
      case 'Assignment':
        this.#assignment(node)
        break
      case 'Script':
        if (node.errors !== undefined) this.#doubt(node.errors[0]?.message ?? 'a mistake in it')
        break
    }
    // The input of `>(…)` comes from somewhere else in the script.
    const fed = node.type === 'ProcessSubstitution' && node.operator === '>' ? UNKNOWN_INPUT : input
    const visit = (child: SyntaxNode) => this.#visit(child, fed)
    // The condition of a branch is run before the branch.
    const condition = 'clause' in node ? node.clause : undefined
    const inside = () =>
      forEachChild(node, (child) => (child === condition ? forEachChild(condition, visit) : visit(child)))
    if (SUBSHELLS.has(node.type)) this.#isolated(inside)
    else if (node.type === 'For') this.#variables.isolated(inside, node.name.value)
    else if (node.type === 'CompoundList' || condition !== undefined || isInBackground(node))
      this.#variables.isolated(inside)
    else inside()
  }

  #redirectedNode(node: Redirected, piped: ShellInput): void {
    const { redirects, input = piped } = redirectsOf(node.redirects, this.#context)
    this.#run({ words: [], redirects, folders: this.#folders, input: NO_INPUT, texts: [] })
    for (const redirect of node.redirects) this.#visit(redirect)
    this.#visit(node.command, input)
  }

  /** Some variables contain commands that programs run, or settings that name such commands. */
  #assignment({ name, value }: Assignment): void {
    const isCommand = COMMAND_VARIABLES.test(name)
    if ((!isCommand && !name.startsWith('GIT_CONFIG_')) || value.type !== 'Word') return
    for (const shape of shapesOf(value, this.#context)) {
      const text = exactText(shape)
      if (isCommand && text !== undefined) this.read(text, UNKNOWN_INPUT)
      else if (isCommand || setsCommand(name, text, value.text)) this.#doubt(value.text)
    }
  }

  #pipeline({ commands }: Pipeline, piped: ShellInput): void {
    let input = piped
    for (const command of commands) {
      this.#isolated(() => this.#visit(command, input))
      input = command.type === 'Command' ? this.#outputOf(command, input) : { kind: 'unknown' }
    }
  }

  #list(list: AndOr, input: ShellInput): void {
    const either = list.operators.indexOf('||')
    const sure = either === -1 ? list.commands.length : either + 1
    this.#partOfList(list, 0, input)
    // Only the commands after it in the same chain of `&&` can rely on a command after `&&` having run.
    this.#variables.isolated(() => {
      for (let i = 1; i < sure; i++) this.#partOfList(list, i, input)
    })
    for (let i = sure; i < list.commands.length; i++) this.#variables.isolated(() => this.#partOfList(list, i, input))
  }

  #partOfList({ commands, operators }: AndOr, i: number, input: ShellInput): void {
    const before = this.#folders
    const command = commands[i]
    if (command !== undefined) this.#visit(command, input)
    // After `&&`, a change of the folder has succeeded.
    if (operators[i] === '&&' && this.#folders.length > before.length)
      this.#folders = this.#folders.slice(0, -before.length)
  }

  #command(command: Command, input: ShellInput): void {
    forEachChild(command, (child) => this.#visit(child))
    const readings = this.#variables.readings(() => this.#runOf(command, input))
    for (const run of readings.flatMap(byName)) this.#run(run)
    this.#variables.pass(command)
    const [run] = readings
    const name = nameOf(run)
    if (name === 'cd' || name === 'pushd') this.#enter(run)
    if (name === 'popd') this.#folders = [ANYTHING, ...this.#folders]
  }

  #runOf(command: Command, piped: ShellInput): ShellRun {
    const args: CommandArgument[] = [...(command.name === undefined ? [] : [command.name]), ...command.args]
    const { redirects, input } = redirectsOf(command.redirects, this.#context)
    const folders = this.#folders
    const words = args.flatMap((arg) => this.#words(arg))
    const texts = words.slice(1).flatMap((word) => this.#written.text({ folders }, word) ?? [])
    return { words, folders, redirects, input: input ?? piped, texts }
  }

  #words(arg: CommandArgument): ShellWord[] {
    if (arg.type === 'Word') return expandedWords(arg, this.#context)
    const start = literal(`${arg.name}=`)
    const values = arg.value.type === 'Word' ? shapesOf(arg.value, this.#context) : [ANYTHING]
    const shapes = values.map((value) => [...start, ...value])
    return [wordOf(shapes, arg.text)]
  }

  #run(run: ShellRun): void {
    if (this.#runs.length === MOST_RUNS) throw new RangeError(TOO_TANGLED)
    this.#effort.spend(effortOf(run))
    this.#runs.push(run)
    this.#written.keep(run)
    for (const inner of launched(run, {
      alias: (name) => this.#variables.alias(name),
      written: (file) => this.#written.text(run, file),
    })) {
      if (inner.kind === 'run') this.#run(inner.run)
      else if (inner.kind === 'doubt') this.#doubt(inner.text)
      else this.#inside(run, () => this.read(inner.text, inner.input ?? NO_INPUT))
    }
  }

  /** A script that a command runs starts in the folder of the command. */
  #inside({ folders }: ShellRun, work: () => void): void {
    this.#isolated(() => {
      this.#folders = folders
      work()
    })
  }

  #enter({ words }: ShellRun): void {
    const word = words.slice(1).find(({ text }) => text === undefined || !/^-[LPe@]+$|^--$/.test(text))
    const targets = word === undefined ? [literal(this.#home)] : word.text === '-' ? [ANYTHING] : word.shapes
    this.#folders = maybeEntered(this.#folders, targets)
  }

  #outputOf(command: Command, input: ShellInput): ShellInput {
    const run = this.#runOf(command, input)
    this.#effort.spend(effortOf(run))
    return knownOutput(run)
  }

  get #context(): ExpansionContext {
    const context: ExpansionContext = {
      home: this.#home,
      folder: this.#folders[0] ?? ANYTHING,
      variable: (name) => this.#shapesOf(name, context),
      output: (script) => this.#printedBy(script),
      dotGlob: this.#dotGlob,
    }
    return context
  }

  #shapesOf(name: string, context: ExpansionContext): readonly TextShape[] {
    this.#effort.spend(1)
    const shapes = this.#variables.shapes(name, context)
    this.#effort.spend(effortOfShapes(shapes))
    return shapes
  }

  #printedBy({ commands }: Script): ShellInput {
    const [statement] = commands
    if (commands.length !== 1 || statement?.command.type !== 'Command') return UNKNOWN_INPUT
    return this.#outputOf(statement.command, NO_INPUT)
  }
}

function isInBackground(node: SyntaxNode): boolean {
  return node.type === 'Statement' && node.background === true
}

const UNKNOWN_INPUT: ShellInput = { kind: 'unknown' }

const COMMAND_VARIABLES =
  /^(?:PAGER|EDITOR|VISUAL|BROWSER|BASH_ENV|ENV|PROMPT_COMMAND|GIT_(?:\w+_)?(?:COMMAND|EDITOR|PAGER|ASKPASS|SSH))$/

const SUBSHELLS: ReadonlySet<string> = new Set([
  'Subshell',
  'CommandExpansion',
  'ProcessSubstitution',
  'ArithmeticCommandExpansion',
])
