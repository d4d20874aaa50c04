import { type Material, materialOf } from './material.ts'

/** A name that the source does not have, and how it was made up. */
export type Fabricated = { readonly way: string; readonly text: string }

type Pick = (list: readonly string[]) => string
type Way = { readonly name: string; readonly make: (pick: Pick, material: Material) => string }

/** Made-up names that look like those of the source: its folders, its words, new combinations. The same every time. */
export function fabricate(texts: readonly string[], ways: readonly Way[], count: number): Fabricated[] {
  const source = texts.join('\n')
  const lower = source.toLowerCase()
  const material = materialOf(source)
  const random = randomFrom(source.length)
  const pick: Pick = (list) => list[Math.floor(random() * list.length)] ?? 'none'
  const made = new Map<string, Fabricated>()
  for (let tries = 0; made.size < count && tries < count * 50; tries++) {
    const way = ways[made.size % ways.length]
    const text = way?.make(pick, material) ?? ''
    if (way !== undefined && !lower.includes(text.toLowerCase().replace('()', '')))
      made.set(text, { way: way.name, text })
  }
  return [...made.values()]
}

/** The made-up names as lines of a summary: in a sentence or between backticks, quotations as the user's words. */
export function asLines(fabricated: readonly Fabricated[]): string {
  const lines = fabricated.map(({ way, text }, i) => {
    if (way === 'quotation') return `- The user said: "${text}"`
    return i % 2 === 0 ? `- Also changed ${text}, as asked.` : `- Updated \`${text}\` as asked.`
  })
  return `\n\n${lines.join('\n')}\n`
}

const VERBS = ['get', 'set', 'load', 'handle', 'parse', 'update', 'resolve', 'validate', 'build', 'apply']
const HEX = [...'0123456789abcdef']
const DIGITS = [...'0123456789']

/** Names whose parts are real and whose whole is not. */
export const PLAUSIBLE: readonly Way[] = [
  {
    name: 'real folder, new file',
    make: (pick, { folders, words }) => `${pick(folders)}/${pick(words)}-${pick(words)}.ts`,
  },
  { name: 'camelCase', make: (pick, { words }) => pick(VERBS) + capital(pick(words)) + capital(pick(words)) },
  {
    name: 'real folder, new file',
    make: (pick, { folders, words }) => `${pick(folders)}/${pick(words)}_${pick(words)}.go`,
  },
  { name: 'snake_case', make: (pick, { words }) => `${pick(words)}_${pick(words)}` },
  { name: 'PascalCase', make: (pick, { words }) => capital(pick(words)) + capital(pick(words)) },
  {
    name: 'new folder, real file',
    make: (pick, { files, words }) => `src/${pick(words)}-${pick(words)}/${pick(files)}`,
  },
  { name: 'CONSTANT_CASE', make: (pick, { words }) => `${pick(words)}_${pick(words)}_LIMIT`.toUpperCase() },
  {
    name: 'new method',
    make: (pick, { objects, words }) => `${pick(objects)}.${pick(VERBS)}${capital(pick(words))}()`,
  },
  { name: 'new file', make: (pick, { words }) => `${pick(words)}${capital(pick(words))}.test.ts` },
  { name: 'longer identifier', make: (pick, { identifiers, words }) => pick(identifiers) + capital(pick(words)) },
  { name: 'other extension', make: (pick, { files }) => pick(files).replace(/\.\w+$/, '.rb') },
  { name: 'hash', make: (pick) => `a1${repeat(6, () => pick(HEX))}` },
  { name: 'version', make: (pick) => `v${pick(DIGITS)}.${pick(DIGITS)}${pick(DIGITS)}.${pick(DIGITS)}${pick(DIGITS)}` },
  { name: 'issue', make: (pick) => `#${repeat(5, () => pick(DIGITS))}` },
  { name: 'quotation', make: (pick, { sentences, words }) => swapped(pick(sentences), pick(words)) },
]

/** Hard on purpose: both halves are in the source, only not together. */
export const MIXED: readonly Way[] = [
  { name: 'real folder, real file of another', make: (pick, { folders, files }) => `${pick(folders)}/${pick(files)}` },
]

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function repeat(times: number, make: () => string): string {
  return Array.from({ length: times }, make).join('')
}

function swapped(sentence: string, word: string): string {
  const words = sentence.split(' ')
  return words.with(words.length >> 1, word).join(' ')
}

/** Numbers from 0 to 1 that look random and depend on the seed only (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
