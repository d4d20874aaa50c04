import { describe, expect, it, onTestFinished } from 'vitest'
import type { EntryDraft } from '../../../src/model/types.ts'
import { entriesWithSameText } from '../../../src/session/search/search-session.ts'
import { assistant, call, result, user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

describe('the messages that repeat a text', () => {
  it('are found in the whole log, whoever said it', async () => {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const { id } = await store.createSession({ owner: 'me', workspace: '/work' })
    const key = 'sk-live-51Hx9zQw77'
    const filler = Array.from({ length: 1_200 }, (_, i) => user(`message ${i}`))
    const messages = [
      user(`my key is ${key}`),
      call('c', 'bash', { command: `echo ${key}` }),
      result('c', key),
      ...filler,
    ]
    const drafts = [...messages, assistant(`I used ${key}.`)].map(
      (message): EntryDraft => ({ type: 'message', message }),
    )
    await store.append(id, drafts)
    expect(await entriesWithSameText(store, id, 1)).toEqual([2, 3, drafts.length])
    expect(await entriesWithSameText(store, id, 3)).toEqual([1, 2, drafts.length])
    expect(await entriesWithSameText(store, id, 5)).toEqual([])
    await expect(entriesWithSameText(store, id, 9_999)).rejects.toThrow('has no entry #9999')
  })
})
