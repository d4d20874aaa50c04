import { printedText } from './known-output.ts'
import { pathShape } from './path-shape.ts'
import { nameOf, type ShellRun, type ShellWord } from './shell-word.ts'
import { ANYTHING, exactText, literal } from './text-shape.ts'

/** The texts of files that a script writes, because it may run them later. */
export class WrittenFiles {
  readonly #texts = new Map<string, string>()

  /** Remembers the text that a command writes, if it is known. */
  keep(run: ShellRun): void {
    const isTee = nameOf(run) === 'tee'
    const printed = isTee ? run.input : printedText(run)
    if (printed?.kind !== 'text') return
    const targets = isTee ? run.words.slice(1) : run.redirects.flatMap(({ word, writes }) => (writes ? [word] : []))
    for (const target of targets) {
      const path = pathOf(run, target)
      if (path !== undefined) this.#texts.set(path, (this.#texts.get(path) ?? '') + printed.text)
    }
  }

  /** The text of the file that a word of a command names. */
  text(run: Pick<ShellRun, 'folders'>, file: ShellWord): string | undefined {
    const path = this.#texts.size === 0 ? undefined : pathOf(run, file)
    return path === undefined ? undefined : this.#texts.get(path)
  }
}

function pathOf({ folders }: Pick<ShellRun, 'folders'>, { text }: ShellWord): string | undefined {
  return text === undefined ? undefined : exactText(pathShape(folders[0] ?? ANYTHING, literal(text)))
}
