import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GLOSSARY, glossaryText } from '../../../src/engine/report/glossary.ts'

const vocabulary = readFileSync(new URL('../../../CONTEXT.md', import.meta.url), 'utf8')

it('explains only words of CONTEXT.md, so that users and developers have one vocabulary', () => {
  expect(Object.keys(GLOSSARY).filter((word) => !vocabulary.includes(`**${word}**`))).toEqual([])
  expect(glossaryText('tail')).toBe('tail: the newest messages, which a compaction keeps word for word')
})
