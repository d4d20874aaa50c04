import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { isReached, withProbes } from '../../../scripts/mutate/probes.ts'

const TEXT = `const LIMIT = 3
export function outer(a: number): number {
  const inner = (b: number) => b + 1
  return a > LIMIT ? inner(a) : a
}
`
const folder = mkdtempSync(join(tmpdir(), 'pith-probes-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('probes say which functions ran, and the code does the same as before', async () => {
  const [list, path] = [join(folder, 'reached'), join(folder, 'probed.ts')]
  const { text, functions } = withProbes('src/a.ts', TEXT, list)
  writeFileSync(path, text)
  const { outer } = await import(path)
  expect(outer(3)).toBe(3)
  const reached = new Set(readFileSync(list, 'utf8').split('\n'))
  const reaches = (code: string) => isReached(rangeOf(code), functions, reached)
  expect([reaches('a > LIMIT'), reaches('b + 1'), reaches('= 3')]).toEqual([true, false, true])
  expect(outer(4)).toBe(5)
  expect(readFileSync(list, 'utf8').trim().split('\n')).toHaveLength(2)
})

it('code outside of functions is not reached by a test that only imports it', () => {
  const { functions } = withProbes('src/a.ts', TEXT, 'list')
  expect(isReached(rangeOf('= 3'), functions, new Set())).toBe(false)
  expect(isReached(rangeOf('= 3'), [], new Set())).toBe(true)
})

function rangeOf(code: string): { start: number; end: number } {
  const start = TEXT.indexOf(code)
  return { start, end: start + code.length }
}
