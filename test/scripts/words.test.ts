import { describe, expect, it } from 'vitest'
import { bannedWordsIn } from '../../scripts/words/words.ts'

const wordsIn = (text: string, file = 'src/a.ts') =>
  bannedWordsIn(file, text).map(({ line, word }) => `${line} ${word}`)

describe('the word check', () => {
  it('finds words of the old dialect in names, comments and texts, each with its line', () => {
    const text = 'const told = 1\n// It was mended.\nprint("What stands here")\n/** Made anew, in the place of it. */'
    expect(wordsIn(text)).toEqual(['1 told', '2 mend', '3 stands', '4 anew', '4 in the place of'])
  })

  it('finds a comment without a subject, and leaves questions alone', () => {
    const found = 'What or Who as the subject of a comment'
    expect(wordsIn('/** What the model sees. */\n  // Who asks waits.\n * What is this?')).toEqual([
      `1 ${found}`,
      `2 ${found}`,
    ])
  })

  it('leaves names alone that are stored, and files of others', () => {
    expect(wordsIn('standsFor: stands_for, amended, understands')).toEqual([])
    expect(wordsIn('I told you', 'test/fixtures/a.jsonl')).toEqual([])
    expect(wordsIn("pith.command('handoff').alias('hand-on')", 'src/cli/commands/handoff/handoff.ts')).toEqual([])
    expect(wordsIn('pith hand-on', 'src/cli/program.ts')).toEqual(['1 hand-on'])
  })
})
