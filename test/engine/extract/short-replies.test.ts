import { describe, expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { mergeIndexes, withoutEntries } from '../../../src/model/facts/log-index.ts'
import type { Message } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'
import { recordText } from '../../support/record.ts'

const factsOf = (...messages: Message[]) => mergeIndexes([indexDelta(viewOf(logOf(messages)).items.slice())])
const question = 'Both work.\nShould I keep the cache or drop it?'

describe('a short message after a question of the agent', () => {
  it('is shown with that question', () => {
    const index = factsOf(user('Make it faster.'), assistant(question), user('drop it'), user('Now the docs, please.'))
    expect(index.users[1]).toMatchObject({ text: 'drop it', to: 'Should I keep the cache or drop it?', asked: 2 })
    expect(recordText({ index })).toContain('(answering Should I keep the cache or drop it?) drop it')
  })

  it('loses the question when that is redacted, and stays', () => {
    const index = factsOf(user('Make it faster.'), assistant(question), user('drop it'))
    expect(withoutEntries(index, new Set([2])).users[1]).toEqual({ seq: 3, text: 'drop it', at: index.users[1]?.at })
  })

  it('says itself what it is about if it is long, or if the agent worked on after its question', () => {
    const long = 'Drop the cache in the reader, and keep the one of the writer as it is.'
    expect(factsOf(user('a'), assistant(question), user(long)).users[1]).not.toHaveProperty('to')
    const worked = [assistant(question), call('c', 'read', { path: 'a.ts' }), result('c', 'x'), user('go on')]
    expect(factsOf(user('a'), ...worked).users[1]).not.toHaveProperty('to')
  })
})
