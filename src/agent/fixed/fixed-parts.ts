import { readUnasked, type UnaskedLimits } from '../../config/read/read-unasked.ts'
import type { Fixed, Message, Seq, View } from '../../model/types.ts'
import type { PromptFile } from './prompt-files.ts'

/** A file whose text is sent with every request, its name for the model, and the limits for reading it. */
export type FixedFile = { readonly path: string; readonly name: string; readonly limits?: UnaskedLimits }

export type FixedFiles = {
  /** From `AGENTS.md`. */
  readonly instructions: readonly FixedFile[]
  /** Files of instructions in other folders. The model gets only their names, and reads them when it works there. */
  readonly elsewhere?: readonly string[]
  /** The model gets a line for each, and reads the file when a task needs it. */
  readonly skills?: readonly PromptFile[]
  /** From `MEMORY.md`. */
  readonly memory: readonly FixedFile[]
  /** The memory of the project that the session began with. */
  readonly project?: FixedFile
  /** The permission mode. */
  readonly mode?: () => string
}

/** The new text of a changed file, and the entry after which the model reads it. */
export type FixedChange = { readonly after: Seq; readonly text: string }

const NAMES = { instructions: 'instructions', memory: 'facts' } as const

/** The first line of a file's text, as `rendered` writes it. */
const FILE_TAG = /^<(?:instructions|memory) file="([^"]+)">$/gm

/** The most characters of one file in a request. */
const MOST_CHARACTERS = 40_000

/**
 * System prompt, instructions and memory: the parts of every request that come from files and not from the conversation.
 * They are at the front, so changing one would void the provider's whole cache. The next compaction does that anyway. Until
 * then, the new text of a changed file is added at the end instead.
 */
export class FixedParts {
  readonly #system: string
  readonly #files: FixedFiles
  #rendered = { instructions: '', memory: '', mode: '' }
  #latest = { instructions: '', memory: '', mode: '' }
  #changes: FixedChange[] = []
  /** Lines about files that are not read, each with whether the user was notified. */
  #refusals = new Map<string, boolean>()

  private constructor(system: string, files: FixedFiles) {
    this.#system = system
    this.#files = files
  }

  static read(system: string, files: FixedFiles): FixedParts {
    const parts = new FixedParts(system, files)
    parts.renew()
    return parts
  }

  /** The parts of a sub-agent: the same with a text after the system prompt. */
  withPrompt(text: string): FixedParts {
    return FixedParts.read(`${this.#system}\n\n${text}`, this.#files)
  }

  /** The parts before the view now. Later changes are in `changes`. */
  current(): Fixed {
    return this.#fixed(this.#rendered)
  }

  /** The parts before the view after the next compaction. */
  renewed(): Fixed {
    return this.#fixed(this.#latest)
  }

  /** The blocks of the system prompt, the most stable first. */
  blocks(): string[] {
    const { instructions, memory } = this.#rendered
    return [this.#systemText(this.#rendered), instructions, memory].filter((text) => text !== '')
  }

  /** The names of the files that are sent with every request. */
  get names(): string[] {
    const { instructions, memory } = this.#rendered
    return [...`${instructions}\n${memory}`.matchAll(FILE_TAG)].map(([, name = '']) => name)
  }

  /** The names of files of instructions that the model reads when it works in their folders. */
  get elsewhere(): readonly string[] {
    return this.#files.elsewhere ?? []
  }

  get changes(): readonly FixedChange[] {
    return this.#changes
  }

  /** Checks whether a file has changed. If so, the model gets its new text after the entry `after`. */
  refresh(after: Seq): void {
    const now = this.#read()
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

  /** Moves the current texts of all files to the front. Call it when the provider's cache is void anyway. */
  renew(): void {
    this.#latest = this.#read()
    this.#rendered = this.#latest
    this.#changes = []
  }

  /** The sentence on the permission mode: the one that the model has, and the true one. */
  get mode(): { readonly sent: string; readonly now: string } {
    return { sent: this.#rendered.mode, now: this.#modeNow() }
  }

  #modeNow(): string {
    const { mode } = this.#files
    return mode === undefined ? '' : modeSentence(mode())
  }

  #systemText({ mode }: { readonly mode: string }): string {
    return mode === '' ? this.#system : `${this.#system}\n${mode}`
  }

  #fixed({ instructions, memory, mode }: { instructions: string; memory: string; mode: string }): Fixed {
    return {
      system: this.#systemText({ mode }),
      ...(instructions === '' ? {} : { instructions }),
      ...(memory === '' ? {} : { memory }),
    }
  }

  /** A line for the user about each file that is not read. Each line is returned once. */
  newRefusals(): string[] {
    const lines = [...this.#refusals].flatMap(([line, isKnown]) => (isKnown ? [] : [line]))
    for (const line of lines) this.#refusals.set(line, true)
    return lines
  }

  #read(): { instructions: string; memory: string; mode: string } {
    const refusals: string[] = []
    const own = rendered(this.#files.instructions, 'instructions', refusals)
    const now = {
      instructions: [own, elsewhereText(this.elsewhere), skillsText(this.#files.skills ?? [])]
        .filter((text) => text !== '')
        .join('\n\n'),
      memory: [rendered(this.#files.memory, 'memory', refusals), projectText(this.#files.project)]
        .filter((text) => text !== '')
        .join('\n\n'),
      mode: this.#modeNow(),
    }
    this.#refusals = new Map(refusals.map((line) => [line, this.#refusals.get(line) ?? false]))
    return now
  }
}

/** The model reads the permission mode in this sentence. */
export function modeSentence(mode: string): string {
  return `The user's permission mode is ${mode} now.`
}

/** The most names in a request: more are not worth their tokens. */
const MOST_ELSEWHERE = 40

function elsewhereText(names: readonly string[]): string {
  if (names.length === 0) return ''
  const more = names.length > MOST_ELSEWHERE ? [`[… and ${names.length - MOST_ELSEWHERE} more: find **/AGENTS.md]`] : []
  const shown = [...names.slice(0, MOST_ELSEWHERE), ...more].join('\n')
  return `These folders have instructions of their own. Read the file before you change anything in its folder:\n${shown}`
}

/** The most skills in a request. */
const MOST_SKILLS = 40

function skillsText(skills: readonly PromptFile[]): string {
  if (skills.length === 0) return ''
  const lines = skills.slice(0, MOST_SKILLS).map(({ name, about, shown }) => `- ${name}: ${about} (${shown})`)
  const more =
    skills.length > MOST_SKILLS ? [`[… and ${skills.length - MOST_SKILLS} more: find .*/skills/*/SKILL.md]`] : []
  return [SKILLS_TITLE, ...lines, ...more].join('\n')
}

const SKILLS_TITLE =
  'There are skills, instructions for certain tasks. If a task fits one, read its file before you begin; paths in it are relative to its folder:'

const TITLES = {
  instructions: 'Instructions of the user and of their project:',
  memory: 'Facts that the user wants to be remembered:',
} as const

function rendered(files: readonly FixedFile[], tag: keyof typeof TITLES, refusals: string[]): string {
  const texts = files.flatMap(({ path, name, limits }) => {
    const found = readUnasked(path, limits)
    if (found.kind === 'refused') refusals.push(`${name} is not read: ${found.why}`)
    const text = found.kind === 'text' ? found.text.trim() : ''
    const shown =
      text.length <= MOST_CHARACTERS
        ? text
        : `${text.slice(0, MOST_CHARACTERS)}\n[… the rest of ${name} is left out, read it]`
    return shown === '' ? [] : [`<${tag} file="${name}">\n${shown}\n</${tag}>`]
  })
  return texts.length === 0 ? '' : [TITLES[tag], ...texts].join('\n\n')
}

/** The page says itself what it is. */
function projectText(file: FixedFile | undefined): string {
  const found = file === undefined ? undefined : readUnasked(file.path)
  return found?.kind === 'text' ? `<memory file="${file?.name}">\n${found.text.trim()}\n</memory>` : ''
}

/** Notes about changed files that the provider's last count for this model does not contain. */
export function lateChanges(view: View, changes: readonly FixedChange[], model: string): Message[] {
  const counted = countedUpTo(view, model)
  return changes.filter(({ after }) => after > counted).map(changeMessage)
}

/** The message that informs the model about a change. */
export function changeMessage({ text }: FixedChange): Message {
  return { role: 'user', content: text }
}

function countedUpTo({ anchor, items }: View, model: string): number {
  if (anchor === undefined || (anchor.model !== undefined && anchor.model !== model)) return 0
  return items.at(anchor.items - 1)?.place ?? 0
}
