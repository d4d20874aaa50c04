const WORDS =
  'the session opens a file and reads the parser again because its test fails when a handler returns before the queue is empty so we move the check into the writer keep the old name and add a case for an unknown status the cache holds entries by key until they expire request response token index error retry timeout buffer stream value option schema route client server module export import'.split(
    ' ',
  )

const LINES = [
  'export function %s(input: %sOptions): %sResult {',
  '  const %s = await store.read(%s, { limit: 100 })',
  '  if (%s === undefined) throw new Error(`no %s`)',
  "import { %s } from './%s.ts'",
  '  return { ...%s, %s: %s.map((one) => one.%s) }',
  '    expect(%s).toEqual([%s, %s])',
  ' ✓ test/%s.test.ts (12 tests) 340ms',
  '  // The %s is %s before the %s.',
  '}',
  '',
]

/** `count` words that sound like talk about code. */
export function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => pick(random, WORDS)).join(' ')
}

/** `count` lines that look like source or the output of a tool. */
export function lines(random: () => number, count: number): string {
  const line = () => pick(random, LINES).replaceAll('%s', () => pick(random, WORDS))
  return Array.from({ length: Math.max(1, Math.floor(count)) }, line).join('\n')
}

export function pick<T>(random: () => number, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}
