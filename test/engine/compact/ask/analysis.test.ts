import { describe, expect, it } from 'vitest'
import { stripAnalysis } from '../../../../src/engine/compact/ask/accept-summary.ts'

describe('a summary without its analysis', () => {
  it.each([
    ['has no block in front', '<analysis>\nfirst…\n</analysis>\n\nThe summary.', 'The summary.'],
    ['has no block after it', 'The summary.\n<analysis>why</analysis>', 'The summary.'],
    ['has no block in between', 'One.\n<analysis>x</analysis>\nTwo.', 'One.\n\nTwo.'],
    ['has none of several blocks', '<analysis>a</analysis>One.<analysis>b</analysis>', 'One.'],
    ['has no block in capitals', '<ANALYSIS>a</Analysis>One.', 'One.'],
    ['is as it was when there is none', 'One.\n\nTwo.', 'One.\n\nTwo.'],
    ['is empty when there was nothing else', '<analysis>only this</analysis>\n', ''],
    ['has no tags of its own around it', '<analysis>a</analysis><summary>\nOne.\n</summary>', 'One.'],
    ['starts at its tag after a block that is never closed', '<analysis>hm\n<summary>One.</summary>', 'One.'],
    ['starts at its heading after a block that is never closed', '<analysis>hm\n## Goal\nOne.', '## Goal\nOne.'],
    ['is all there is when a block is never closed and nothing separates them', '<analysis>One.', 'One.'],
    ['keeps the text before a block that is never closed', '## Goal\nOne.\n<analysis>', '## Goal\nOne.'],
    ['has no block after other words', 'Sure. <analysis>\nhm\n</analysis>\n## Goal\nOne.', 'Sure. \n## Goal\nOne.'],
    ['has no block in its own tag', '<summary><analysis>\nhm\n</analysis>\nOne.</summary>', 'One.'],
    ['has no block that ends in a name', '<analysis>\nuses `x`</analysis>\nOne.', 'One.'],
    ['has no block with attributes', '<analysis step="1">a</analysis>One.', 'One.'],
    [
      'stays between a block that is never closed and one that is',
      '<analysis>hm\n\n## Goal\nOne.\n<analysis>why</analysis>',
      '## Goal\nOne.',
    ],
    [
      'stays whole when the block and the summary mention the tags',
      '<analysis>\nThe user wants nested <analysis> blocks stripped.\n</analysis>\n## Goal\nStrip nested blocks.\n## Done\nCut at </analysis> fixed.\n## Next\nTests.',
      '## Goal\nStrip nested blocks.\n## Done\nCut at </analysis> fixed.\n## Next\nTests.',
    ],
    [
      'stays after a block that is never closed when it mentions the closing tag',
      '<analysis>hm\n\n## Goal\nCut at `</analysis>`.',
      '## Goal\nCut at `</analysis>`.',
    ],
  ])('%s', (_, text, summary) => {
    expect(stripAnalysis(text)).toBe(summary)
  })

  it('loses nothing for a closing tag alone', () => {
    expect(stripAnalysis('One.</analysis>Two.')).toMatch(/^One\..*Two\.$/)
    expect(stripAnalysis('</analysis>\nOne.')).toBe('One.')
  })

  it.each([
    'Strip the `<analysis>` block from summaries.\n\n## Next\nRun the tests.',
    'Strip the `<analysis>` block from summaries.\n\n## Next\nTry it without `</analysis>`.',
    'Strip all from <analysis> on.\n\n## Next\nTry it without </analysis>.',
    'Strip `<analysis>…</analysis>` from summaries.',
  ])('keeps sentences that only mention the tags: %j', (sentences) => {
    const summary = `## Goal\n${sentences}`
    expect(stripAnalysis(summary)).toBe(summary)
  })
})
