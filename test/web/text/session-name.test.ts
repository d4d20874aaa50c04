import { expect, it } from 'vitest'
import { sessionName } from '../../../web/text/visible.ts'

it('a session is called by its title, without one by its first words', () => {
  expect(sessionName({ title: 'Uploads', first_words: 'hello' }, 80)).toBe('Uploads')
  expect(sessionName({ first_words: 'hello' }, 80)).toBe('hello')
  expect(sessionName({}, 80)).toBe('Untitled')
  expect(sessionName({ title: '' }, 80)).toBe('Untitled')
})
