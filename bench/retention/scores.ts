import type { GroundTruth } from './ground-truth.ts'

export type Ratio = { readonly kept: number; readonly of: number }

/** What a text keeps of a span. */
export type Scores = {
  readonly edited: Ratio
  readonly readOnly: Ratio
  readonly usedAgain: Ratio
  /** Prompts of which the first 1,000 characters stand in the text, letter for letter but for white space. */
  readonly prompts: Ratio
  /** Prompts of which the first 60 characters do: the measure by which recorded summaries were judged. */
  readonly beginnings: Ratio
  /** Names of files in the text that nothing in the span contains. */
  readonly invented: readonly string[]
  readonly characters: number
  /** How many of the five questions have an answer: asked, decided, failed, done, next. */
  readonly told: number
  /** What was not kept, to look into. */
  readonly missing: readonly string[]
}

export function scoresOf(text: string, truth: GroundTruth): Scores {
  const words = new Set(text.split(BETWEEN_WORDS).map(trimmed))
  const folders = new Set(text.split(/[^\w@.+~-]+/))
  const isNamed = (path: string) => {
    const segments = path.split('/')
    const [parent, name = ''] = [segments.at(-2), segments.at(-1)]
    // `index.ts` alone says nothing where there are many: its folder has to be named too.
    return hasName(words, text, name) && (parent === undefined || !isCommon(name) || folders.has(parent))
  }
  const isCommon = (name: string) =>
    [...truth.edited, ...truth.readOnly].filter((path) => path.endsWith(`/${name}`)).length > 1
  const flat = squashed(text)
  const whole = (characters: number) => (prompt: string) => flat.includes(squashed(prompt.slice(0, characters)))
  const kept = (all: Iterable<string>, test: (one: string) => boolean): Ratio => {
    const list = [...all]
    return { kept: list.filter(test).length, of: list.length }
  }
  return {
    edited: kept(truth.edited, isNamed),
    readOnly: kept(truth.readOnly, isNamed),
    usedAgain: kept(truth.usedAgain, isNamed),
    prompts: kept(truth.prompts, whole(1_000)),
    beginnings: kept(truth.prompts, whole(60)),
    invented: inventedIn(text, truth.text),
    characters: text.length,
    told: QUESTIONS.filter((question) => isAnswered(text, question)).length,
    missing: [
      ...[...truth.edited, ...truth.readOnly].filter((path) => !isNamed(path)),
      ...truth.prompts.filter((prompt) => !whole(1_000)(prompt)).map((prompt) => `“${prompt.slice(0, 60)}”`),
    ],
  }
}

const BETWEEN_WORDS = /[\s`"'“”‘’()[\]{}<>,;|=*]+/

function trimmed(word: string): string {
  return (word.split('/').at(-1) ?? '').replace(/[.:!?…]+$/g, '')
}

/** A name with spaces is no word: it is looked for as it is. */
function hasName(words: ReadonlySet<string>, text: string, name: string): boolean {
  return words.has(trimmed(name)) || (BETWEEN_WORDS.test(name) && text.includes(name))
}

function squashed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Words that look like a file: a name with an extension of letters, or a path with one. Links and numbers are none. */
function inventedIn(text: string, source: string): string[] {
  const names = text.match(/(?<![\w/.@%-])(?:[\w@.+~-]*\/)*[\w@+-][\w@.+-]*\.[A-Za-z]{1,5}(?![\w/-])/g) ?? []
  const files = new Set(names.filter((name) => FILE.test(name) && !/^(?:www|https?)\b/.test(name)))
  return [...files].filter((name) => !source.includes(name) && !source.includes(lastName(name)))
}

const FILE =
  /\.(?:[cm]?[jt]sx?|json[lc]?|md|mdx|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|ya?ml|toml|ini|cfg|conf|env|lock|sql|html?|css|scss|less|vue|svelte|txt|csv|tsv|xml|svg|png|jpe?g|gif|pdf|log|ipynb|proto|gradle|tf|lua|dart|ex|exs|erl|hs|scala|clj|r|jl|mod|sum)$/i

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** By their headings: ours, and those of the summaries that Claude Code, Codex and pi write. */
const QUESTIONS: readonly RegExp[] = [
  /goal|request|intent|objective|user said|user messages/i,
  /decision|technical concepts|key (?:findings|learnings|insights|context)|constraints|problem solving/i,
  /fail|error|problem/i,
  /done|progress|files and code|completed|accomplished|current work/i,
  /next|pending|remaining|to-?do|in progress|current work/i,
]

function isAnswered(text: string, question: RegExp): boolean {
  const lines = text.split('\n')
  return lines.some((line, i) => {
    if (!HEADING.test(line) || !question.test(line)) return false
    const end = lines.findIndex((next, j) => j > i && HEADING.test(next))
    const body = lines.slice(i + 1, end === -1 ? undefined : end).filter((next) => !/^\(/.test(next))
    return body.join(' ').trim().length >= 20
  })
}

const HEADING = /^(?:#{1,4} |\d+\. |\*\*)[^\n]{3,60}$/
