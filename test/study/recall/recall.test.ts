import { describe, expect, it } from 'vitest'
import { fit as fitted, type Message, recall, reportOf } from '../../../src/index.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

/** A long conversation with one fact far back, and a sub-agent that found another one. */
const parent: Message[] = [user('The harbour code is 7141.'), ...turns(30, 800).slice(1)]
const child: Message[] = [
  user('Find out which bird nests at the pier.'),
  call('c1', 'read', { path: 'pier.md' }),
  result('c1', 'The heron nests at the pier.', 'read'),
  assistant('It is the heron.'),
]
const children = { 'explore-1': child }

describe('recall in a list of messages', () => {
  it('finds by words what the context no longer has, and reads it by the handle', async () => {
    const { messages: sent, state, result: compaction } = await fitted(parent, { window: 8_000, recall: true })
    expect(compaction?.compacted).toBe(true)
    expect(sent.length).toBeLessThan(parent.length)
    const { text, found } = await recall(parent, 'code harbour', { state })
    expect(found[0]).toMatchObject({ handle: '#1', message: parent[0] })
    expect(text).toMatch(/^#1 \(user/)
    expect((await recall(parent, '#1')).text).toBe('#1 (user)\n[User]: The harbour code is 7141.')
  })

  it('has the numbers of the record, also with instructions at the front or after a compaction', async () => {
    const front: Message[] = [{ role: 'system', content: 'Be brief.' }, ...parent]
    const { messages: sent, state } = await fitted(front, { window: 8_000 })
    expect((await recall(front, '#1')).found[0]?.message).toBe(parent[0])
    // The caller may keep what was sent instead of everything: the state has the numbers.
    const [last] = (await recall([...sent, user('And now?')], `#${parent.length}`, { state })).found
    expect(last?.message).toEqual(parent.at(-1))
    expect((await recall(sent, '#1', { state })).text).toBe('There is no entry #1: search for words.')
  })

  it('searches the conversations of sub-agents, too, whose task is not the words of the user', async () => {
    const { found, text } = await recall(parent, 'heron pier', { children })
    expect(found.map(({ handle }) => handle)).toContain('explore-1#3')
    expect(text).toContain('explore-1#')
    expect((await recall(parent, 'bird role:user', { children })).found).toEqual([])
    const task = await recall(parent, 'explore-1#1', { children })
    expect(task.text).toBe('explore-1#1 (task)\n[Task]: Find out which bird nests at the pier.')
    expect((await recall(parent, 'explore-1#3-#4', { children })).found).toHaveLength(2)
  })

  it('never looks into a conversation that it is not given', async () => {
    expect((await recall(parent, 'heron')).found).toEqual([])
    expect((await recall(parent, 'explore-1#1')).text).toBe('There is no sub-agent explore-1: there are no sub-agents')
  })

  it.each([
    ['', /^There is nothing to search for/],
    ['#99', /^There is no entry #99/],
    ['#1-', /is not a handle/],
    ['files:a.ts', /is not a filter/],
    ['zzzqqq', /^Nothing was found for `zzzqqq`/],
    ['other-9#1', 'There is no sub-agent other-9: the sub-agents are explore-1'],
  ])('answers %j with a line for the model', async (asked, text) => {
    const answer = await recall(parent, asked, { children })
    expect(answer).toEqual({ text: expect.stringMatching(text), found: [] })
    expect(answer.text).not.toContain('\n')
  })

  it('refuses what a program gets wrong in one line', async () => {
    const wrong = { childs: children } as object
    await expect(recall(parent, 'x', wrong)).rejects.toThrow(/^recall: .*childs.*children/)
    await expect(recall(parent, 'x', { children: { 'a b\nc': child } })).rejects.toThrow(/"a b\\nc" is not a name/)
    await expect(recall([{ role: 'user' }] as never, 'x')).rejects.toThrow(/^message 1/)
  })
})

describe('the report of a sub-agent', () => {
  it('is its answer, with the handles of its transcript', () => {
    expect(reportOf(child, { name: 'explore-1' })).toBe(
      'It is the heron.\n\n[sub-agent explore-1; transcript explore-1#1-#4]',
    )
  })

  it('names the files that its calls changed', () => {
    const changing: Message[] = [
      user('Fix it.'),
      call('c1', 'edit', { path: 'src/b.ts', old_string: 'a', new_string: 'b' }),
      result('c1', 'The file src/b.ts has been updated.', 'edit'),
      assistant('Fixed.'),
    ]
    expect(reportOf(changing, { name: 'fixer' })).toContain(
      '[sub-agent fixer; changed src/b.ts; transcript fixer#1-#4]',
    )
  })

  it('is shortened to its budget, with the handle of the whole', async () => {
    const long = [
      user('Tell me all.'),
      assistant(`It begins. ${'The heron flies over the pier. '.repeat(2_000)} The end.`),
    ]
    const report = reportOf(long, { name: 'writer', tokens: 300 })
    expect(report.length).toBeLessThan(2_000)
    expect(report).toMatch(/^It begins\.[\s\S]*recall writer#2[\s\S]*The end\.\n\n\[/)
    expect((await recall(parent, 'writer#2', { children: { writer: long } })).text).toContain('It begins.')
  })

  it('says so if there is no answer', () => {
    expect(reportOf(child.slice(0, 3), { name: 'explore-1' })).toMatch(
      /^The sub-agent explore-1 ended without an answer/,
    )
    expect(reportOf([], { name: 'explore-1' })).toContain('it has no messages')
  })

  it('is the only part of a sub-agent that enters the context of its parent, which may be compacted', async () => {
    const answered: Message[] = [
      ...parent,
      call('t1', 'task', { prompt: 'Which bird?' }),
      result('t1', reportOf(child, { name: 'explore-1' }), 'task'),
      ...turns(20, 800),
    ]
    const { messages: sent } = await fitted(answered, { window: 8_000, recall: true })
    expect(JSON.stringify(sent)).not.toContain('The heron nests')
    const { found } = await recall(answered, 'explore-1 transcript', { children })
    expect(found[0]?.handle).toBe(`#${parent.length + 2}`)
  })

  it.each([['abc'], ['a b c d'], ['x'.repeat(81)], [undefined]])('refuses the name %j', (name) => {
    expect(() => reportOf(child, { name: name as string })).toThrow(/is not a name of a sub-agent/)
  })
})
