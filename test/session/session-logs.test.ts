import { expect, it, onTestFinished } from 'vitest'
import { projectMemory } from '../../src/index.ts'
import { sessionLogs } from '../../src/session/index.ts'
import { openStore } from '../../src/store/index.ts'
import { assistant, user } from '../support/messages.ts'

it('the sessions of a store make the memory of a project, those of one owner and one folder alone', async () => {
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const worked = async (owner: string, workspace: string, word: string) => {
    const { id } = await store.createSession({ owner, workspace })
    const messages = [user(`Always run the linter of the ${word} before you commit.`), assistant('I will.')]
    await store.append(
      id,
      messages.map((message) => ({ type: 'message' as const, message })),
    )
    return id
  }
  const mine = await worked('me', '/shop', 'shop')
  await worked('you', '/shop', 'market')
  await worked('me', '/bank', 'bank')
  const { text, lines, sessions } = await projectMemory(sessionLogs(store, { owner: 'me', workspace: '/shop' }))
  expect(sessions).toBe(1)
  expect(new Set(lines.map(({ session }) => session))).toEqual(new Set([mine]))
  expect(text).toContain('the linter of the shop')
  expect(text).not.toMatch(/market|bank/)
  const read: unknown[] = []
  for await (const { workspace, entries } of sessionLogs(store, { owner: 'me' })) read.push([workspace, entries.length])
  expect(read.toSorted()).toEqual([
    ['/bank', 2],
    ['/shop', 2],
  ])
})
