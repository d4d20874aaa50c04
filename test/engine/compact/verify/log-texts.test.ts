import { expect, it } from 'vitest'
import { logTexts, verify } from '../../../../src/engine/compact/verify/verify.ts'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { compaction } from '../../../support/compaction.ts'
import { call, result, user } from '../../../support/messages.ts'

const long = `${'x'.repeat(5_000)} src/deep/end.ts`
const files = [{ path: 'src/facts.ts', access: 'modified' as const, seq: 1 }]
const log = appended(
  logOf([user('mend src/first.ts'), call('1', 'bash', { command: 'cat src/called.ts' }), result('1', long, 'bash')]),
  [
    { type: 'mask', targets: [3], tokensBefore: 2, tokensAfter: 1 },
    compaction({ upTo: 3, summary: 'It was src/summarised.ts.', indexDelta: { files } }),
    { type: 'edit', of: 5, summary: 'It was src/edited.ts.' },
    { type: 'todo', items: [{ text: 'look at src/todo.ts', status: 'pending' }] },
  ],
)
const invented = (summary: string) => verify(summary, { texts: logTexts(log) }).invented.map(({ text }) => text)

it('a name from anywhere in the log is known, also from what is masked or summarised by now', () => {
  const names = ['first', 'called', 'deep/end', 'summarised', 'facts', 'edited', 'todo'].map((name) => `src/${name}.ts`)
  expect(invented(names.join(', '))).toEqual([])
  expect(invented('src/first.ts and src/second.ts')).toEqual(['src/second.ts'])
})

it('the handles of the entries are known', () => {
  expect(invented('See #1, #5 and #99.')).toEqual(['#99'])
})
