import { describe, expect, it } from 'vitest'
import { todoItems, todoStatus } from '../../../../src/engine/extract/calls/tool-facts.ts'

describe('the status of a to-do', () => {
  it.each([
    ['in-progress', ['in-progress', 'in_progress', 'IN_PROGRESS', 'doing', 'active']],
    ['done', ['done', 'completed', 'complete', 'Done']],
    ['cancelled', ['cancelled', 'canceled', 'deleted']],
    ['pending', ['pending', 'open', '', undefined, 4]],
  ])('is %s for %j', (status, words) => {
    expect(words.map(todoStatus)).toEqual(words.map(() => status))
  })
})

describe('to-dos', () => {
  it.each(['text', 'content', 'step', 'description', 'title', 'subject', 'task'])('have their text in %s', (name) => {
    expect(todoItems([{ [name]: ' one ', status: 'doing' }])).toEqual([{ text: 'one', status: 'in-progress' }])
  })

  it('may be texts, and are finished if they say so', () => {
    const done = { text: 'b', status: 'done' }
    expect(todoItems([' a ', { text: 'b', done: true }, { text: 'b', completed: true, status: 'pending' }])).toEqual([
      { text: 'a', status: 'pending' },
      done,
      done,
    ])
  })

  it('are left out if they have no text', () => {
    expect(todoItems(['', ' ', null, 4, {}, { text: ' ' }, { text: 5 }])).toEqual([])
    expect(todoItems([{ text: ' ', content: 'b' }])).toEqual([{ text: 'b', status: 'pending' }])
  })

  it('may be JSON, or a list with boxes', () => {
    expect(todoItems(' [{"text":"a"}]')).toEqual([{ text: 'a', status: 'pending' }])
    expect(todoItems('[{"text":')).toBeUndefined()
    const boxes = 'Plan\n- [ ] a\n* [x] b\n+ [X] c\n1. [✓] d\n2) [~] e\n  - [/] f \n- g\n- [ ]'
    expect(todoItems(boxes)).toEqual([
      { text: 'a', status: 'pending' },
      { text: 'b', status: 'done' },
      { text: 'c', status: 'done' },
      { text: 'd', status: 'done' },
      { text: 'e', status: 'in-progress' },
      { text: 'f', status: 'in-progress' },
    ])
  })

  it('are not known from anything else', () => {
    expect([todoItems('no list'), todoItems(undefined), todoItems({ text: 'a' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
