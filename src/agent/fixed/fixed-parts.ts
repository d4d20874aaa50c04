import { readFile } from 'node:fs/promises'
import type { Fixed } from '../../model/fixed.ts'
import type { Seq } from '../../model/ids.ts'

/** A file whose text goes with every request, and what to call it. */
export type FixedFile = { readonly path: string; readonly name: string }

export type FixedFiles = {
  /** From `AGENTS.md`. */
  readonly instructions: readonly FixedFile[]
  /** From `MEMORY.md`. */
  readonly memory: readonly FixedFile[]
}

/** The new text of a changed file, and the entry behind which the model reads it. */
export type FixedChange = { readonly after: Seq; readonly text: string }

const NAMES = { instructions: 'instructions', memory: 'facts' } as const

/** More of one file than this is not put into every request. */
const MOST_CHARACTERS = 40_000

/**
 * System prompt, instructions and memory: what is sent with every request from where it is, not from the conversation.
 * They stand in front, so a change of one would void all that the provider has cached: until the next compaction, which
 * does that anyway, a changed file is told again at the end instead.
 */
export class FixedParts {
  readonly #system: string
  readonly #files: FixedFiles
  #rendered = { instructions: '', memory: '' }
  #latest = { instructions: '', memory: '' }
  #changes: FixedChange[] = []

  private constructor(system: string, files: FixedFiles) {
    this.#system = system
    this.#files = files
  }

  static async read(system: string, files: FixedFiles): Promise<FixedParts> {
    const parts = new FixedParts(system, files)
    await parts.renew()
    return parts
  }

  /** The parts in front of the view now. Later changes are told separately, in `changes`. */
  current(): Fixed {
    return this.#fixed(this.#rendered)
  }

  /** The parts in front of the view after the next compaction. */
  renewed(): Fixed {
    return this.#fixed(this.#latest)
  }

  /** The blocks of the system prompt, the most stable first. */
  blocks(): string[] {
    return [this.#system, this.#rendered.instructions, this.#rendered.memory].filter((text) => text !== '')
  }

  get changes(): readonly FixedChange[] {
    return this.#changes
  }

  /** Looks whether a file has changed; if so the model is told behind the entry `after`. */
  async refresh(after: Seq): Promise<void> {
    const now = await this.#read()
    for (const kind of ['instructions', 'memory'] as const) {
      if (now[kind] === this.#latest[kind]) continue
      const text = now[kind] === '' ? 'There are none now.' : now[kind]
      this.#changes.push({
        after,
        text: `The ${NAMES[kind]} below have changed and replace what was said of them before.\n\n${text}`,
      })
    }
    this.#latest = now
  }

  /** Puts all of it in front as it is now: the provider's cache is void anyway. */
  async renew(): Promise<void> {
    this.#latest = await this.#read()
    this.#rendered = this.#latest
    this.#changes = []
  }

  #fixed({ instructions, memory }: { instructions: string; memory: string }): Fixed {
    return {
      system: this.#system,
      ...(instructions === '' ? {} : { instructions }),
      ...(memory === '' ? {} : { memory }),
    }
  }

  async #read(): Promise<{ instructions: string; memory: string }> {
    const [instructions, memory] = await Promise.all([
      rendered(this.#files.instructions, 'instructions', 'Instructions of the user and of their project:'),
      rendered(this.#files.memory, 'memory', 'Facts that the user wants to be remembered:'),
    ])
    return { instructions, memory }
  }
}

async function rendered(files: readonly FixedFile[], tag: string, title: string): Promise<string> {
  const texts = await Promise.all(
    files.map(async ({ path, name }) => {
      const text = (await readFile(path, 'utf8').catch(() => '')).trim()
      const shown =
        text.length <= MOST_CHARACTERS
          ? text
          : `${text.slice(0, MOST_CHARACTERS)}\n[… the rest of ${name} is left out, read it]`
      return shown === '' ? [] : [`<${tag} file="${name}">\n${shown}\n</${tag}>`]
    }),
  )
  const all = texts.flat()
  return all.length === 0 ? '' : [title, ...all].join('\n\n')
}
