import { expect, it } from 'vitest'
import { untitledWords } from '../../src/session/session-title.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { assistant, turns, user } from '../support/messages.ts'

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

it('a session without a title is called after the first words that are not a greeting', async () => {
  expect(await words(undefined, 'hi', 'thanks', 'Mend the upload.', 'And test it.')).toBe('Mend the upload.')
})

it('words that come after many greetings are found, too, up to the fortieth message', async () => {
  const greetings = (count: number) => Array<string>(count).fill('hi')
  expect(await words(undefined, ...greetings(10), 'Mend the upload.')).toBe('Mend the upload.')
  expect(await words(undefined, ...greetings(19), 'Mend the upload.')).toBe('Mend the upload.')
  expect(await words(undefined, ...greetings(20), 'Mend the upload.')).toBe('hi')
})

it('only the first messages of a session are read for such words', async () => {
  const store = await openStore(':memory:')
  const { id } = await store.createSession({ owner: 'local', workspace: '/work' })
  await store.append(
    id,
    turns(20).map((message) => ({ type: 'message' as const, message })),
  )
  let read = 0
  const counting: Store = Object.create(store, {
    entries: {
      value: async (...query: Parameters<Store['entries']>) => {
        const page = await store.entries(...query)
        read += page.entries.length
        return page
      },
    },
  })
  const session = await store.session(id)
  expect(session && (await untitledWords(counting, session))).toBeDefined()
  expect(read).toBeLessThanOrEqual(4)
})

it('a session of greetings alone is called after the first of them', async () => {
  expect(await words(undefined, 'hello there', 'thanks')).toBe('hello there')
})

it('there are no such words for a session with a title, or with nothing said', async () => {
  expect(await words('Named', 'Mend the upload.')).toBeUndefined()
  expect(await words(undefined)).toBeUndefined()
})
