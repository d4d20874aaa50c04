import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { repairDraft, repairsFor } from '../../../../src/engine/context/view/repair.ts'
import { requestOf } from '../../../../src/engine/context/view/request.ts'
import { validate } from '../../../../src/engine/context/view/validate.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { NO_RESULT } from '../../../../src/engine/extract/calls/call-outcome.ts'
import { parseEntry } from '../../../../src/model/entry.ts'
import { callsOf, type Message, messagesOf, partsOf, resultsOf, textOf } from '../../../../src/model/types.ts'
import { history } from '../../../support/arbitrary-history.ts'
import { full } from '../../../support/full.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

function repaired(messages: readonly Message[], pending?: 'allowed') {
  const log = logOf(messages)
  const repair = repairDraft(viewOf(log).items.slice(), { pending })
  return viewOf(repair === undefined ? log : appended(log, [repair]))
}
const repairedMessages = (messages: readonly Message[], pending?: 'allowed') => messagesOf(repaired(messages, pending))
const interrupted = (id: string): Message => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'error-text', value: NO_RESULT } },
  ],
})
const parallel = (...ids: string[]): Message => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} })),
})
const reasoning = { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } } as const

describe('a repair', () => {
  it('does nothing to a valid history', () => {
    const messages = [user('a'), call('x'), result('x'), assistant('done')]
    expect(repairsFor(viewOf(logOf(messages)).items.slice())).toEqual([])
    expect(repairDraft(viewOf(logOf(messages)).items.slice())).toBeUndefined()
  })

  it('adds an error for a result that is missing', () => {
    expect(repairedMessages([user('a'), call('x'), user('b')])).toEqual([
      user('a'),
      call('x'),
      interrupted('x'),
      user('b'),
    ])
  })

  it('adds what is missing of parallel results and leaves the others', () => {
    const messages = repairedMessages([user('a'), parallel('x', 'y', 'z'), result('y'), user('b')])
    expect(
      messages
        .slice(2, -1)
        .flatMap((message) => resultsOf(message).map((part) => part.toolCallId))
        .toSorted(),
    ).toEqual(['x', 'y', 'z'])
    expect(messages).toContainEqual(result('y'))
  })

  it('leaves calls that are pending at the end, when it may', () => {
    const messages = [user('a'), call('x')]
    expect(repairedMessages(messages, 'allowed')).toEqual(messages)
    expect(repairedMessages(messages)).toEqual([...messages, interrupted('x')])
  })

  it('drops a result that has no call', () => {
    expect(repairedMessages([user('a'), result('x'), assistant('b')])).toEqual([user('a'), assistant('b')])
  })

  it('drops only the orphan of a tool message', () => {
    const both: Message = { role: 'tool', content: [...result('x').content, ...result('y').content] }
    expect(repairedMessages([user('a'), call('y'), both])).toEqual([user('a'), call('y'), result('y')])
  })

  it('drops several orphans of a tool message and nothing else', () => {
    const ids = ['p', 'q', 'y', 'r']
    const mixed: Message = { role: 'tool', content: ids.flatMap((id) => result(id).content) }
    expect(repairedMessages([user('a'), call('y'), mixed])).toEqual([user('a'), call('y'), result('y')])
  })

  it('moves a late result to right after its call', () => {
    expect(repairedMessages([user('a'), call('x'), user('b'), result('x', 'late')])).toEqual([
      user('a'),
      call('x'),
      result('x', 'late'),
      user('b'),
    ])
  })

  it('does not lose a result that comes before its call', () => {
    const messages = repairedMessages([user('a'), result('x', 'the only output'), call('x'), user('b')])
    expect(JSON.stringify(messages)).toContain('the only output')
  })

  it('keeps the first of two results', () => {
    expect(repairedMessages([user('a'), call('x'), result('x', 'one'), result('x', 'two')])).toEqual([
      user('a'),
      call('x'),
      result('x', 'one'),
    ])
  })

  it('gives a second call with the same id, and its result, an id of its own', () => {
    const messages = repairedMessages([user('a'), call('x'), result('x', 'one'), call('x'), result('x', 'two')])
    const ids = messages
      .flatMap((message) => [...callsOf(message), ...resultsOf(message)])
      .map((part) => part.toolCallId)
    expect(ids.slice(0, 2)).toEqual(['x', 'x'])
    expect(ids[2]).toBe(ids[3])
    expect(ids[2]).not.toBe('x')
  })

  it('does not take an id that another call has', () => {
    const taken = [call('x'), result('x'), call('x_2'), result('x_2'), call('x'), result('x')]
    const ids = repairedMessages([user('a'), ...taken]).flatMap((message) =>
      callsOf(message).map((part) => part.toolCallId),
    )
    expect(new Set(ids).size).toBe(3)
  })

  it('drops empty messages and empty parts', () => {
    const half: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'b' },
      ],
    }
    expect(repairedMessages([user('a'), assistant(' '), half])).toEqual([
      user('a'),
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
    ])
  })

  it('drops reasoning that was left alone, whole', () => {
    expect(repairedMessages([user('a'), { role: 'assistant', content: [reasoning] }, user('b')])).toEqual([
      user('a'),
      user('b'),
    ])
  })

  it('drops reasoning that is left alone by another step of the repair', () => {
    const messages: Message[] = [user('a'), { role: 'assistant', content: [reasoning] }, assistant(''), user('b')]
    expect(repairedMessages(messages)).toEqual([user('a'), user('b')])
  })

  it('drops reasoning that is left alone after a call whose result it adds', () => {
    const thinking: Message = { role: 'assistant', content: [...callsOf(call('x')), reasoning] }
    expect(repairedMessages([user('a'), thinking, assistant(''), user('b')])).toEqual([
      user('a'),
      call('x'),
      interrupted('x'),
      user('b'),
    ])
  })

  it('is an entry that copies no text of the conversation', () => {
    const view = viewOf(logOf([user('a'), call('x'), user('b'), result('x', 'my password is hunter2')]))
    const draft = repairDraft(view.items.slice())
    expect(parseEntry({ ...draft, id: 'e9', seq: 9, at: 0 })).toMatchObject({ type: 'repair' })
    expect(JSON.stringify(draft)).not.toContain('hunter2')
  })

  it('says why of each step', () => {
    for (const change of repairsFor(viewOf(logOf([user('a'), call('x'), user(''), result('y')])).items.slice())) {
      expect(change.why).not.toBe('')
    }
  })
})

describe('after the repair of any history', () => {
  const runs = full ? 10_000 : 200
  type Mutation = { readonly kind: 'drop' | 'double' | 'swap' | 'system'; readonly at: number }
  const mutations = fc.array(
    fc.record({ kind: fc.constantFrom('drop', 'double', 'swap', 'system'), at: fc.nat({ max: 1_000 }) }),
    { maxLength: 6 },
  ) as fc.Arbitrary<Mutation[]>

  it('the request is valid', () => {
    fc.assert(
      fc.property(history, mutations, (messages, changes) => {
        const view = repaired(changes.reduce(mutated, messages))
        expect(validate(requestOf(view).messages)).toEqual([])
      }),
      { numRuns: runs },
    )
  })

  it('nothing the user said is gone, and a second repair has nothing to do', () => {
    fc.assert(
      fc.property(history, mutations, (messages, changes) => {
        const broken = changes.reduce(mutated, messages)
        const view = repaired(broken)
        expect(repairsFor(view.items.slice())).toEqual([])
        expect(spoken(messagesOf(view))).toEqual(spoken(broken))
      }),
      { numRuns: runs },
    )
  })

  function mutated(messages: readonly Message[], { kind, at }: Mutation): Message[] {
    const index = at % Math.max(1, messages.length)
    const message = messages[index]
    if (message === undefined) return [...messages]
    const before = messages.slice(0, index)
    const after = messages.slice(index + 1)
    switch (kind) {
      case 'drop':
        return [...before, ...after]
      case 'double':
        return [...before, message, message, ...after]
      case 'swap':
        return [...before, ...after.slice(0, 1), message, ...after.slice(1)]
      case 'system':
        return [...before, { role: 'system', content: 'a note' }, message, ...after]
    }
  }

  function spoken(messages: readonly Message[]): string[] {
    return messages
      .filter((message) => message.role === 'user')
      .map((message) => `${textOf(message).trim()}${partsOf(message).some((part) => part.type === 'image') ? '+' : ''}`)
      .filter((text) => text !== '')
  }
})
