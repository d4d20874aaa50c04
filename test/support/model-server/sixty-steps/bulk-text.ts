const NOUNS = [
  'queue',
  'router',
  'session',
  'buffer',
  'ledger',
  'socket',
  'cursor',
  'planner',
  'cache',
  'worker',
  'index',
  'packet',
]
const VERBS = ['drains', 'opens', 'merges', 'retries', 'flushes', 'splits', 'rejects', 'batches', 'signs', 'replays']

type Random = () => number

/** Source text of about this many characters, each time another. */
export function codeText(random: Random, characters: number): string {
  return upTo(characters, () => {
    const [a, b] = [pick(random, NOUNS), pick(random, NOUNS)]
    const limit = Math.floor(random() * 900) + 100
    return `/** The ${a} ${pick(random, VERBS)} before the ${b} is closed. */
export function ${a}${limit}(${b}: readonly number[], limit = ${limit}): number {
  const kept = ${b}.filter((value) => value % ${Math.floor(random() * 7) + 2} !== 0)
  return kept.slice(0, limit).reduce((sum, value) => sum + value, ${Math.floor(random() * 50)})
}
`
  })
}

/** The log of a test run of about this many characters. */
export function logText(random: Random, characters: number): string {
  return upTo(characters, () => {
    const ms = Math.floor(random() * 400)
    return `ok    ${pick(random, NOUNS)}/${pick(random, NOUNS)}.test.ts  the ${pick(random, NOUNS)} ${pick(random, VERBS)} the ${pick(random, NOUNS)}  ${ms} ms`
  })
}

/** Documentation of about this many characters. */
export function proseText(random: Random, characters: number): string {
  return upTo(characters, () => {
    const sentence = () =>
      `The ${pick(random, NOUNS)} ${pick(random, VERBS)} the ${pick(random, NOUNS)} when the ${pick(random, NOUNS)} ${pick(random, VERBS)}.`
    return `${sentence()} ${sentence()}\n`
  })
}

function upTo(characters: number, piece: () => string): string {
  let text = ''
  while (text.length < characters) text += `${piece()}\n`
  return text
}

function pick(random: Random, words: readonly string[]): string {
  return words[Math.floor(random() * words.length)] ?? ''
}
