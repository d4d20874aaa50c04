import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REQUIREMENTS } from './requirements.ts'

/** The text before a title: the call of a test, alone or after a table of cases. */
const TITLE = /\(\s*['"`]([KRAT]\d+): /g

const tested = new Set(
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(TITLE)])
    .map(([, id]) => id ?? ''),
)

it('every requirement has a test here whose title begins with its id', () => {
  expect(REQUIREMENTS).toHaveLength(22 + 14 + 16 + 16)
  expect(REQUIREMENTS.filter((id) => !tested.has(id))).toEqual([])
})

it('every id in a title is one of a requirement', () => {
  expect([...tested].filter((id) => !REQUIREMENTS.includes(id))).toEqual([])
})
