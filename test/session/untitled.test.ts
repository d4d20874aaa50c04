import { expect, it } from 'vitest'
import { untitledWords } from '../../src/session/untitled.ts'
import { openStore } from '../../src/store/open-store.ts'
import { assistant, user } from '../support/messages.ts'

async function words(title: string | undefined, ...said: string[]): Promise<string | undefined> {
  const store = await openStore(':memory:')
  const { id } = await store.createSession({ owner: 'local', workspace: '/work', title })
  const drafts = said.flatMap((text) => [user(text), assistant('Hello!')])
  if (drafts.length > 0)
    await store.append(
      id,
      drafts.map((message) => ({ type: 'message' as const, message })),
    )
  const session = await store.session(id)
  return session && untitledWords(store, session)
}

it('a session without a title is called after the first words that are no greeting', async () => {
  expect(await words(undefined, 'hi', 'thanks', 'Mend the upload.', 'And test it.')).toBe('Mend the upload.')
})

it('a session of greetings alone is called after the first of them', async () => {
  expect(await words(undefined, 'hello there', 'thanks')).toBe('hello there')
})

it('there are no such words for a session with a title, or with nothing said', async () => {
  expect(await words('Named', 'Mend the upload.')).toBeUndefined()
  expect(await words(undefined)).toBeUndefined()
})
