import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quotedWord, shellWord } from '../../../src/model/text.ts'

it('a word is quoted only if it must be, and the home stays the home', () => {
  const words = ['a/b-c.ts', '~/a', '', 'a b', "Ann's", '$HOME', '~/my files', 'é']
  expect(words.map(shellWord)).toEqual([
    'a/b-c.ts',
    '~/a',
    "''",
    "'a b'",
    "'Ann'\\''s'",
    "'$HOME'",
    "~/'my files'",
    "'é'",
  ])
})

it('a shell reads each word as it was', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !/[\0~]/.test(text))
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      for (const quote of [shellWord, quotedWord]) {
        const script = `printf '%s\\0' ${words.map(quote).join(' ')}`
        expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout).toBe(
          words.map((each) => `${each}\0`).join(''),
        )
      }
    }),
    { numRuns: 20 },
  )
})
