import { randomOf } from '../../src/eval/random.ts'

const ROUNDS = 5

/** How many bytes of UTF-8 a counter reads in a second: the best of five rounds, after one to warm up. */
export function megabytesPerSecond(texts: readonly string[], count: (text: string) => number): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const all = () => {
    for (const text of texts) count(text)
  }
  const seconds = Array.from({ length: ROUNDS + 1 }, () => time(all) / 1_000)
  return bytes / 1e6 / Math.min(...seconds.slice(1))
}

/** Milliseconds for a million characters of the texts that make other counters slow. */
export function worstCases(count: (text: string) => number): [string, number][] {
  return Object.entries(WORST).map(([name, text]) => [name, time(() => count(text))])
}

const SIZE = 1_000_000
const random = randomOf(3)
const noise = (from: number, to: number) =>
  Array.from({ length: SIZE }, () => String.fromCharCode(from + Math.floor(random() * (to - from)))).join('')

const WORST: Record<string, string> = {
  'one letter': 'a'.repeat(SIZE),
  spaces: ' '.repeat(SIZE),
  newlines: '\n'.repeat(SIZE),
  'one sign': '-'.repeat(SIZE),
  digits: '7'.repeat(SIZE),
  NUL: '\0'.repeat(SIZE),
  'one ideograph': '中'.repeat(SIZE),
  'unbroken ideographs': noise(0x4e00, 0x9fff),
  'lone surrogates': '\ud800'.repeat(SIZE),
  'any code unit': noise(0, 0x10000),
  'any ASCII': noise(0, 0x80),
  'letters without end': noise(0x61, 0x7b),
  'pieces put together': Array.from({ length: 1_000 }, () => 'x'.repeat(999)).reduce((all, one) => `${all}${one} `, ''),
}

function time(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
