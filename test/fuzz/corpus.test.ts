import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mutated, randomOf } from '../../scripts/fuzz/mutate-text.ts'
import { FUZZ_TARGETS } from '../../scripts/fuzz/targets.ts'

const CORPUS = join(import.meta.dirname, 'corpus')
const FORMATS = join(import.meta.dirname, '..', 'fixtures', 'formats')
const kept = readdirSync(CORPUS).map((name) => [name, readFileSync(join(CORPUS, name), 'utf8')] as const)

describe('a text that once failed', () => {
  it.each(FUZZ_TARGETS)('does not fail in $name', ({ run }) => {
    for (const [name, text] of kept) expect(() => run(text), name).not.toThrow()
  })
})

describe('mutated input', () => {
  it.each(FUZZ_TARGETS)('does not fail in $name', ({ run }) => {
    const texts = readdirSync(FORMATS).map((name) => readFileSync(join(FORMATS, name), 'utf8').slice(0, 20_000))
    const random = randomOf(20_261_116)
    for (let i = 0; i < 15; i++) run(mutated(texts, random))
  })
})
