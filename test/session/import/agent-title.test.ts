import { describe, expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import type { Entry } from '../../../src/model/types.ts'
import { agentTitle, firstWords } from '../../../src/session/session-title.ts'
import { assistant, user } from '../../support/messages.ts'

describe('the title from the first words of a user', () => {
  it.each([
    ['<environment_context>\n<cwd>/w</cwd>\n</environment_context>', 'Mend the parser', 'Mend the parser'],
    ['<context>\nthree files\n</context>\n\nMend the parser', 'and test it', 'Mend the parser'],
    ['<a>1</a> <b>2</b>\nMend the parser', 'and test it', 'Mend the parser'],
    ['<task>\nMend the parser\n</task>', '<more>soon</more>', 'Mend the parser'],
    ['<task>Mend the parser</task>', 'and test it', 'and test it'],
    ['Great!!', 'Mend the parser', 'Mend the parser'],
    ['hello', 'thanks', 'hello'],
    ['<div> is not centred', '<br>', '<div> is not centred'],
    ['<div> is not centred', 'and test it', '<div> is not centred'],
    ['<div>hello</div> is broken, please fix', 'and test it', '<div>hello</div> is broken, please fix'],
    ['<context>\nthree files\n</context> Mend the parser', 'and test it', 'Mend the parser'],
    ['<image name=[Image #1]>', 'Mend the parser', 'Mend the parser'],
    ['</image>', 'Mend the parser', 'Mend the parser'],
    ['<log>\ncut off', 'Mend the parser', 'Mend the parser'],
    ['<command-name>/review</command-name>\n<command-args>src</command-args>', 'thanks', '/review src'],
    ['<command-name>/clear</command-name>', '<command-name>/clear</command-name>', undefined],
  ])('of %j and %j is %j', (first, second, title) => {
    expect(firstWords([{ message: user(first) }, { message: user(second) }])).toBe(title)
  })
})

it('the title of an agent’s session is its own, else of what the user said in it', () => {
  const changed: Entry = { id: 's', seq: 1, at: 0, type: 'settings', model: 'openai/gpt-5' }
  const said = logOf([assistant('Hello'), user('Mend the upload')])
  expect(agentTitle({ title: 'Uploads', entries: said })).toBe('Uploads')
  expect(agentTitle({ title: undefined, entries: [changed, ...said] })).toBe('Mend the upload')
  expect(agentTitle({ title: undefined, entries: [changed] })).toBeUndefined()
})
