import { expect, it } from 'vitest'
import { recordDiff } from '../../../web/text/annotate.ts'

it('two records differ by whole lines, with those that are in both between', () => {
  expect(recordDiff('## Now\nold\n## Why\nsame', '## Now\nnew\nmore\n## Why\nsame')).toEqual([
    { kind: 'same', lines: ['## Now'] },
    { kind: 'removed', lines: ['old'] },
    { kind: 'added', lines: ['new', 'more'] },
    { kind: 'same', lines: ['## Why', 'same'] },
  ])
  expect(recordDiff('a', 'a')).toEqual([{ kind: 'same', lines: ['a'] }])
})
