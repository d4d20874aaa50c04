import { expect, it } from 'vitest'
import { removing } from '../../../src/engine/compact/removed-span.ts'
import { openContext, withFacts } from '../../../src/engine/context/open-context.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { changeTexts } from '../../../src/engine/context/view/rewrite-message.ts'
import type { Item } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const log = logOf([user('Fix a.ts'), call('x'), result('x'), user('go on'), assistant('ok')])
const context = openContext(log)
const seqs = (removed: ReturnType<ReturnType<typeof removing>>) => removed.items.map((item) => item.seq)

it('the messages before the cut leave the view, each cut by itself', () => {
  const removed = removing(context)
  expect(seqs(removed(3))).toEqual([1, 2, 3])
  expect(seqs(removed(1))).toEqual([1])
  expect(seqs(removed(3))).toEqual([1, 2, 3])
  expect(removed(3)).toBe(removed(3))
})

it('messages that are kept do not leave it', () => {
  expect(seqs(removing(context)(5))).toEqual([1, 2, 3, 5])
  const pinned = openContext(appended(log, [{ type: 'pin', target: 3, on: true }]))
  expect(seqs(removing(pinned)(5))).toEqual([1, 5])
})

it('its facts are those of what leaves, and those that the caller finds', () => {
  const own = () => ({ todos: [] })
  const { facts } = removing(context, own)(3)
  expect(facts.files).toMatchObject([{ path: 'x.ts' }])
  expect(facts.users).toMatchObject([{ seq: 1, text: 'Fix a.ts' }])
  expect(removing(context)(1).facts.files ?? []).toEqual([])
  expect(removing(openContext(log, { policy: { indexFacts: 'files' } }), own)(3).facts).toEqual(facts)
})

it('its facts are the same whether they were found before or not, at every cut', () => {
  const noted = [1, 3, 5].map((count) => withFacts(context, { changes: true }, count))
  for (let cut = 0; cut <= 5; cut++) {
    const { facts, index } = removing(context)(cut)
    for (const each of noted) expect(removing(each)(cut)).toMatchObject({ facts, index })
  }
})

it('facts of an item that may only be shown in another form are found in that form', () => {
  const redacted = (item: Item): Item => ({
    ...item,
    message: changeTexts(item.message, (text) => text.replace('a.ts', 'b.ts')),
  })
  const noted = withFacts(context, { changes: true })
  const { facts } = removing(noted, undefined, redacted)(3)
  expect(facts.users).toMatchObject([{ text: 'Fix b.ts' }])
  expect(facts).toEqual(removing(context, undefined, redacted)(3).facts)
})
